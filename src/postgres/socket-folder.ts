import { createHash } from 'node:crypto';
import { lstatSync, readlinkSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** The address of a Unix socket holds 108 bytes on Linux and 104 on macOS, with a zero at the end. */
const MAX_ADDRESS_BYTES = 100;
const SOCKET_NAME_BYTES = Buffer.byteLength('/.s.PGSQL.5432');

const fits = (folder: string) => Buffer.byteLength(folder) + SOCKET_NAME_BYTES <= MAX_ADDRESS_BYTES;

/**
 * A path of the cluster's folder, in which its socket lies, that is short enough for the address of a socket: the
 * folder itself, or a symlink to it among the temporary files. The socket is in the data folder either way, and the
 * link is made anew where it is missing. Throws where something else has its name.
 */
export function reachSocketFolder(cluster: string): string {
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
    // Everyone may make links there; one of another user could lead to another server.
    if (uid !== user)
      throw new Error(`${link} belongs to user ${uid}. Remove it, or set TMPDIR to another folder.`);
    if (isLinkTo(link, cluster)) return link;
    if (attempt === 3) throw new Error(`${link} is no link to ${cluster}. Remove it.`);
    rmSync(link, { force: true });
  }
}

/** True where a path is a symlink that says this. */
export function isLinkTo(link: string, to: string): boolean {
  try {
    return readlinkSync(link) === to;
  } catch {
    return false;
  }
}

/** Removes the link, once no server is reached by it. */
export function leaveSocketFolder(cluster: string, reached: string): void {
  if (reached !== cluster && isLinkTo(reached, cluster)) rmSync(reached, { force: true });
}
