import count from './count.ts';
import decide from './decide.ts';
import get from './get.ts';
import list from './list.ts';

export const findings = [list, count, get, decide];
