import add from './add.ts';
import remove from './delete.ts';
import get from './get.ts';
import getV1 from './get.v1.ts';
import update from './update.ts';

export const comments = [add, get, getV1, update, remove];
