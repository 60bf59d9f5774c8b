import { createHash } from 'node:crypto';
import { lstatSync, readlinkSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** The address of a Unix socket has at most 108 bytes on Linux and 104 on macOS, including a final zero. */
const MAX_ADDRESS_BYTES = 100;
const SOCKET_NAME_BYTES = Buffer.byteLength('/.s.PGSQL.5432');

const fits = (folder: string) => Buffer.byteLength(folder) + SOCKET_NAME_BYTES <= MAX_ADDRESS_BYTES;

/**
 * Returns a path of the cluster's folder that is short enough for the address of its socket: the folder itself, or a
 * symlink to it in the temporary folder, which is created if it is missing. The socket stays in the data folder. Throws
 * if another file has the link's name.
 */
export function linkSocketFolder(cluster: string): string {
  if (fits(cluster)) return cluster;
  const user = process.getuid?.() ?? 0;
  const name = `redpen-${user}-${createHash('sha256').update(cluster).digest('hex').slice(0, 16)}`;
  const link = [join(tmpdir(), name), join('/tmp', name)].find(fits);
  if (link === undefined) throw new Error(`The path of the data folder is too long for a socket: ${cluster}`);
  for (let attempt = 0; ; attempt++) {
    try {
      symlinkSync(cluster, link);
      return link;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
    const { uid } = lstatSync(link, { throwIfNoEntry: false }) ?? { uid: user };
    // Any user can create links there, and one of another user could lead to another server.
    if (uid !== user)
      throw new Error(`${link} belongs to user ${uid}. Remove it, or set TMPDIR to another folder.`);
    if (isLinkTo(link, cluster)) return link;
    if (attempt === 3) throw new Error(`${link} is no link to ${cluster}. Remove it.`);
    rmSync(link, { force: true });
  }
}

/** True if the path is a symlink with this target. */
export function isLinkTo(link: string, to: string): boolean {
  try {
    return readlinkSync(link) === to;
  } catch {
    return false;
  }
}

/** Removes the link once the server has stopped. */
export function unlinkSocketFolder(cluster: string, reached: string): void {
  if (reached !== cluster && isLinkTo(reached, cluster)) rmSync(reached, { force: true });
}
