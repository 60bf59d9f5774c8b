import disablestateUpdate from './access/disablestate/update.ts';
import add from './add.ts';
import deleteOrganizations from './delete.ts';
import documentsDisablestateUpdate from './documents/access/disablestate/update.ts';
import documentsAccessUpdate from './documents/access/update.ts';
import documentsAdd from './documents/add.ts';
import documentsCount from './documents/count.ts';
import documentsDelete from './documents/delete.ts';
import documentsGet from './documents/get.ts';
import locationsDataDelete from './documents/locations/data/delete.ts';
import locationsUpdate from './documents/locations/update.ts';
import documentsMigrateStatus from './documents/migrate/status.ts';
import documentsMigrate from './documents/migrate.ts';
import documentsMove from './documents/move.ts';
import documentsUpdate from './documents/update.ts';
import foldersAccessUpdate from './folders/access/update.ts';
import foldersAdd from './folders/add.ts';
import foldersDelete from './folders/delete.ts';
import foldersGet from './folders/get.ts';
import foldersUpdate from './folders/update.ts';
import get from './get.ts';
import update from './update.ts';

export const organizations = [
  add,
  get,
  update,
  deleteOrganizations,
  disablestateUpdate,
  foldersAdd,
  foldersGet,
  foldersUpdate,
  foldersDelete,
  foldersAccessUpdate,
  documentsAdd,
  documentsGet,
  documentsCount,
  documentsUpdate,
  documentsMove,
  documentsDelete,
  documentsAccessUpdate,
  documentsDisablestateUpdate,
  documentsMigrate,
  documentsMigrateStatus,
  locationsUpdate,
  locationsDataDelete,
];
