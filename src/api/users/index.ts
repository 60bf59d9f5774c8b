import add from './add.ts';
import addV1 from './add.v1.ts';
import count from './count.ts';
import dataDeleteStatus from './data/delete/status.ts';
import dataDelete from './data/delete.ts';
import dataGet from './data/get.ts';
import deleteUsers from './delete.ts';
import documentsGet from './documents/get.ts';
import get from './get.ts';
import getV1 from './get.v1.ts';
import organizationsGet from './organizations/get.ts';
import update from './update.ts';
import updateV1 from './update.v1.ts';

export const users = [
  add,
  addV1,
  get,
  getV1,
  count,
  documentsGet,
  organizationsGet,
  update,
  updateV1,
  deleteUsers,
  dataGet,
  dataDelete,
  dataDeleteStatus,
];
