import add from './add.ts';
import configGet from './config/get.ts';
import configSet from './config/set.ts';
import deleteNotifications from './delete.ts';
import get from './get.ts';
import update from './update.ts';

export const notifications = [add, get, update, deleteNotifications, configGet, configSet];
