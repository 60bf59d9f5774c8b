import count from './count.ts';
import decide from './decide.ts';
import get from './get.ts';
import list from './list.ts';
import picture from './picture.ts';

export const findings = [list, count, get, picture, decide];
