import broadcast from './broadcast.ts';
import get from './get.ts';

export const livestate = [broadcast, get];
