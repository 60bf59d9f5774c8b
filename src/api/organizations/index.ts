import add from './add.ts';
import deleteOrganizations from './delete.ts';
import documentsAdd from './documents/add.ts';
import documentsDelete from './documents/delete.ts';
import documentsGet from './documents/get.ts';
import get from './get.ts';
import update from './update.ts';

export const organizations = [
  add,
  get,
  update,
  deleteOrganizations,
  documentsAdd,
  documentsGet,
  documentsDelete,
];
