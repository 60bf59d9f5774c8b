import cancel from './cancel.ts';
import causes from './causes.ts';
import count from './count.ts';
import events from './events.ts';
import findings from './findings.ts';
import get from './get.ts';
import list from './list.ts';
import run from './run.ts';
import share from './share.ts';

export const executions = [run, get, list, count, causes, findings, cancel, events, share];
