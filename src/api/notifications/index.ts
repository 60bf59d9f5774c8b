import add from './add.ts';
import get from './get.ts';

export const notifications = [add, get];
