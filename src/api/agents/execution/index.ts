import cancel from './cancel.ts';
import count from './count.ts';
import events from './events.ts';
import get from './get.ts';
import list from './list.ts';
import run from './run.ts';

export const executions = [run, get, list, count, cancel, events];
