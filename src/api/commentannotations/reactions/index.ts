import add from './add.ts';
import remove from './delete.ts';
import get from './get.ts';

export const reactions = [add, get, remove];
