import end from './end.ts';
import get from './get.ts';
import start from './start.ts';

export const session = [start, get, end];
