import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import { type DiskPlace, type DiskSize, measureDisk } from '../../outside/storage/watch-disk.ts';
import {
  asSentence,
  type Finding,
  failed,
  joinFindings,
  ok,
  reasonOf,
  sizeInWords,
  warning,
} from './check.ts';

const MB = 1_048_576;
/** Share of a small disk that limits the reserve, as in the service. */
const MAX_RESERVE_SHARE = 0.1;
/** Multiple of the reserve below which free space causes a warning. */
const WARN_BELOW = 2;

const SETTINGS: Record<string, string> = {
  data: 'REDPEN_DATA_DIR',
  files: 'REDPEN_BLOB_URL',
  temporary: 'TMPDIR',
};

interface Options {
  places: readonly DiskPlace[];
  /** REDPEN_DISK_RESERVE. */
  reserveMb: number;
  measure?: (folder: string) => Promise<DiskSize>;
}

/** Checks that files can be written to a folder of the service, and how much space is left. */
export async function checkDisk({ places, reserveMb, measure = measureDisk }: Options): Promise<Finding> {
  const seen = new Set<number>();
  const findings: Finding[] = [];
  for (const place of places) {
    const folder = nearestFolder(place.folder);
    try {
      const size = await measure(folder);
      if (seen.has(size.device)) continue;
      seen.add(size.device);
      findings.push(judge(place, size, reserveMb));
    } catch (error) {
      findings.push(unwritable(place, folder, error));
    }
  }
  return joinFindings(findings);
}

/** The folder or its nearest parent that exists. */
export function nearestFolder(folder: string): string {
  for (let at = folder; ; at = dirname(at)) if (existsSync(at) || dirname(at) === at) return at;
}

function judge({ name, folder }: DiskPlace, { freeBytes, totalBytes }: DiskSize, reserveMb: number): Finding {
  const reserve = Math.min(reserveMb * MB, totalBytes * MAX_RESERVE_SHARE);
  const found = `The disk of ${name} (${folder}) has ${sizeInWords(freeBytes)} free.`;
  const rule = `REDPEN_DISK_RESERVE is ${reserveMb} MB, which is ${sizeInWords(reserve)} here.`;
  if (freeBytes < reserve)
    return failed(
      found,
      `Writes are refused below the reserve. ${rule} Make room, or set a smaller reserve.`,
      `The disk of ${name} has less free space than REDPEN_DISK_RESERVE.`,
    );
  return freeBytes < WARN_BELOW * reserve
    ? warning(found, `Writes will soon be refused. ${rule}`)
    : ok(found);
}

function unwritable({ place, name, folder }: DiskPlace, asked: string, error: unknown): Finding {
  const setting = SETTINGS[place];
  return failed(
    asSentence(`No files can be written for ${name} in ${folder}: ${reasonOf(error)}`),
    `It is set by ${setting}. Allow this user to write to ${asked}, or set ${setting} to another folder.`,
    `No files can be written for ${name} (${setting}).`,
  );
}
