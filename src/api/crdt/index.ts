import add from './add.ts';
import deleteEditors from './delete.ts';
import get from './get.ts';
import createSnapshot from './snapshots/create.ts';
import deleteSnapshot from './snapshots/delete.ts';
import getSnapshot from './snapshots/get.ts';
import listSnapshots from './snapshots/list.ts';
import restoreSnapshot from './snapshots/restore.ts';
import update from './update.ts';

export const crdt = [
  add,
  update,
  get,
  deleteEditors,
  createSnapshot,
  listSnapshots,
  getSnapshot,
  restoreSnapshot,
  deleteSnapshot,
];
