import { mkdir, stat } from 'node:fs/promises';
import { dirname } from 'node:path';

/**
 * Makes a folder and those around it. Node's own `recursive` never ends where the system says of a folder in one that
 * exists that it is missing, as /proc does and some network file systems do.
 */
export async function makeFolder(path: string, mode: number): Promise<void> {
  try {
    await mkdir(path, mode);
  } catch (error) {
    if (await isFolder(path)) return;
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT' || dirname(path) === path) throw error;
    await makeFolder(dirname(path), mode);
    await mkdir(path, mode).catch(async (again: unknown) => {
      if (!(await isFolder(path))) throw again;
    });
  }
}

const isFolder = (path: string): Promise<boolean> =>
  stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );
