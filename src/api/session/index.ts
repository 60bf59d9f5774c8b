import end from './end.ts';
import get from './get.ts';
import list from './list.ts';
import mail from './mail.ts';
import revoke from './revoke.ts';
import start from './start.ts';

export const session = [start, mail, get, list, end, revoke];
