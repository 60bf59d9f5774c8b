import count from './count.ts';
import get from './get.ts';
import list from './list.ts';
import run from './run.ts';

export const executions = [run, get, list, count];
