import type { ReadFile } from './file-reader.ts';

export const createReadFile = (): ReadFile => async () => {
  throw new Error('not built yet');
};
