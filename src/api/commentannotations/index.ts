import add from './add.ts';
import { comments } from './comments/index.ts';
import count from './count/get.ts';
import remove from './delete.ts';
import get from './get.ts';
import { reactions } from './reactions/index.ts';
import clearUnread from './unread/clear.ts';
import getUnread from './unread/get.ts';
import update from './update.ts';

export const commentannotations = [
  add,
  get,
  update,
  remove,
  count,
  getUnread,
  clearUnread,
  ...comments,
  ...reactions,
];
