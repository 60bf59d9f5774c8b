import add from './add.ts';
import deleteActivities from './delete.ts';
import get from './get.ts';
import update from './update.ts';

export const activities = [add, get, update, deleteActivities];
