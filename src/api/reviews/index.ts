import cancel from './cancel.ts';
import get from './get.ts';
import list from './list.ts';
import run from './run.ts';
import { schedules } from './schedules/index.ts';
import share from './share.ts';

export const reviews = [run, get, list, cancel, share, ...schedules];
