import allow from './allow.ts';
import deny from './deny.ts';
import get from './get.ts';

export const request = [get, allow, deny];
