import { join } from 'node:path';

/** The folder that `npm start` names, too: compiling is a large part of the start of a process. */
export const NODE_COMPILE_CACHE = join(import.meta.dirname, '../../node_modules/.cache/node');
