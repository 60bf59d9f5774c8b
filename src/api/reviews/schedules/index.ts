import create from './create.ts';
import remove from './delete.ts';
import get from './get.ts';
import list from './list.ts';
import start from './start.ts';
import update from './update.ts';

export const schedules = [create, get, list, update, start, remove];
