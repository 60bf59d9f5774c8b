import {
  accessSync,
  constants,
  lstatSync,
  mkdtempSync,
  readFileSync,
  rmdirSync,
  type Stats,
  statSync,
} from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { createSecureContext } from 'node:tls';
import type { Config } from '../../config.ts';
import { folderOf } from '../../outside/storage/open-blob-store.ts';
import type { Problem } from '../settings/bad-settings.ts';

type Places = Pick<
  Config,
  | 'CHROME_PATH'
  | 'DATABASE_URL'
  | 'OTEL_EXPORTER_OTLP_CERTIFICATE'
  | 'REDPEN_BLOB_URL'
  | 'REDPEN_DATA_DIR'
  | 'REDPEN_MASTER_KEY'
  | 'REDPEN_MASTER_KEY_COMMAND'
  | 'REDPEN_MASTER_KEY_FILE'
>;

/**
 * Problems of settings that name a folder that cannot be created or written to, or a program that cannot be run. Leaves
 * nothing behind.
 */
export function checkPlaces(config: Places): Problem[] {
  const { CHROME_PATH, REDPEN_BLOB_URL, REDPEN_DATA_DIR } = config;
  const certificates = config.OTEL_EXPORTER_OTLP_CERTIFICATE;
  const blobs = REDPEN_BLOB_URL === undefined ? undefined : folderOf(REDPEN_BLOB_URL);
  const isDataDirUsed =
    config.DATABASE_URL === undefined ||
    (config.REDPEN_MASTER_KEY ?? config.REDPEN_MASTER_KEY_FILE ?? config.REDPEN_MASTER_KEY_COMMAND) ===
      undefined ||
    REDPEN_BLOB_URL === undefined;
  return [
    ...problemOf('REDPEN_DATA_DIR', REDPEN_DATA_DIR, isDataDirUsed && judgeFolder(resolve(REDPEN_DATA_DIR))),
    ...problemOf('REDPEN_BLOB_URL', REDPEN_BLOB_URL, blobs !== undefined && judgeFolder(blobs)),
    ...problemOf('CHROME_PATH', CHROME_PATH, CHROME_PATH !== undefined && judgeProgram(CHROME_PATH)),
    ...problemOf(
      'OTEL_EXPORTER_OTLP_CERTIFICATE',
      certificates,
      certificates !== undefined && judgeCertificates(certificates),
    ),
  ];
}

const problemOf = (
  setting: string,
  value: string | undefined,
  rule: string | undefined | false,
): Problem[] => (rule ? [{ setting, value, rule }] : []);

/** The reason why a folder cannot be created or written to, if any. */
function judgeFolder(folder: string): string | undefined {
  const nearest = nearestThatExists(folder);
  const isThere = nearest === folder;
  if (!statOf(nearest)?.isDirectory()) {
    return isThere
      ? 'must be a folder, and there is a file'
      : `must be a folder that can be made, and ${nearest} is a file`;
  }
  const why = failureOf(() => rmdirSync(mkdtempSync(join(nearest, '.redpen-'))));
  // A full disk has a message of its own with the missing amount.
  if (why === undefined || why === 'ENOSPC' || why === 'EDQUOT') return undefined;
  return isThere
    ? `must be a folder that Redpen can write to, and it may not (${why})`
    : `must be a folder that can be made, and nothing can be made in ${nearest} (${why})`;
}

function statOf(path: string, stat = statSync): Stats | undefined {
  try {
    return stat(path, { throwIfNoEntry: false });
  } catch {
    // One of its parents is a file or may not be entered.
    return undefined;
  }
}

/** True also for a dangling link, in whose place no folder can be created. */
function nearestThatExists(path: string): string {
  let at = path;
  while (statOf(at, lstatSync) === undefined && dirname(at) !== at) at = dirname(at);
  return at;
}

/** The reason why a program cannot be run, if any. */
function judgeProgram(path: string): string | undefined {
  const stat = statOf(path);
  if (stat === undefined) return 'must be the path of a program, and there is nothing';
  if (!stat.isFile()) return 'must be the path of a program, and it is a folder';
  return failureOf(() => accessSync(path, constants.X_OK)) === undefined
    ? undefined
    : 'must be the path of a program, and this file may not be run';
}

/** The reason why a file of certificates cannot be used, if any. */
function judgeCertificates(path: string): string | undefined {
  let text = '';
  const why = failureOf(() => {
    text = readFileSync(path, 'utf8');
  });
  if (why !== undefined) return `must be a file that can be read, and it cannot (${why})`;
  return failureOf(() => createSecureContext({ ca: text })) !== undefined ||
    !text.includes('BEGIN CERTIFICATE')
    ? 'must be a file of certificates in PEM'
    : undefined;
}

function failureOf(work: () => void): string | undefined {
  try {
    work();
    return undefined;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code ?? String(error);
  }
}
