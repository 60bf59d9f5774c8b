import add from './add.ts';
import deletePresence from './delete.ts';
import get from './get.ts';
import update from './update.ts';

export const presence = [add, get, update, deletePresence];
