import { readFileSync, realpathSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readServerPid, stopLeftoverServer } from './postmaster.ts';
import { identityOf, isAlive, isPidInUse, type ProcessIdentity } from './process-identity.ts';

interface WarningLog {
  warn(data: object, message: string): void;
}

/** The server that was started last, recorded for the next start and for commands. */
interface ServerRecord extends ProcessIdentity {
  port?: number | undefined;
}

const recordPath = (dataDir: string): string => join(dataDir, 'postgres.json');

/** Reads the record; undefined if there is none or it is damaged. */
export function readRecord(dataDir: string): ServerRecord | undefined {
  try {
    return JSON.parse(readFileSync(recordPath(dataDir), 'utf8')) as ServerRecord;
  } catch {
    return undefined;
  }
}

export function writeRecord(dataDir: string, record: ServerRecord, log: WarningLog): void {
  const path = recordPath(dataDir);
  try {
    writeFileSync(`${path}.new`, JSON.stringify(record), { mode: 0o600 });
    renameSync(`${path}.new`, path);
  } catch (error) {
    // The disk may be full. The next start then finds the server by its working directory.
    rmSync(path, { force: true });
    log.warn({ err: error }, 'server process could not be recorded');
  }
}

export const removeRecord = (dataDir: string): void => rmSync(recordPath(dataDir), { force: true });

/** Stops the server of an earlier run, or removes its stale pid file. */
export async function clearLeftoverServer(dataDir: string, folder: string, log: WarningLog): Promise<void> {
  const pid = readServerPid(folder);
  if (pid === undefined) return;
  const record = readRecord(dataDir);
  const isServer = (record?.pid === pid && isAlive(record)) || isServerOf(pid, folder);
  if (isServer) {
    await stopLeftoverServer(record?.pid === pid ? record : identityOf(pid), () =>
      log.warn({ serverPid: pid }, 'waiting for the database of an earlier process to end'),
    );
  } else if (isPidInUse(pid)) {
    // Another process has this id now, which is common in containers. PostgreSQL would take it for a server.
    rmSync(join(folder, 'postmaster.pid'), { force: true });
  }
}

/** True if the process has the folder as its working directory, as its server does; always false except on Linux. */
function isServerOf(pid: number, folder: string): boolean {
  try {
    return realpathSync(`/proc/${pid}/cwd`) === realpathSync(folder);
  } catch {
    return false;
  }
}
