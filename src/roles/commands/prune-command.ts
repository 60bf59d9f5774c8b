import { resolve } from 'node:path';
import type { Config } from '../../config.ts';
import { dropEmptyLogPartitions } from '../../db/partitions/log-partitions.ts';
import { deleteMarkedFiles } from '../../files/stored-files.ts';
import { openBlobStore } from '../../outside/storage/open-blob-store.ts';
import { countOld, RETENTION_KINDS, type RetentionKind, removeOld } from '../../store/retention/retention.ts';
import type { Tally } from '../../store/retention/tally.ts';
import { keptDaysOf, SETTING_OF_KIND } from '../setup/kept-days.ts';
import { blobAddressOf, blobSettingOf } from '../setup/places.ts';
import { recordForService } from '../setup/run-operation.ts';
import type { CommandDeps, CommandText } from '../terminal/outcome.ts';
import { table } from '../terminal/table.ts';

interface Options {
  dryRun?: boolean;
  json?: boolean;
}

/** A kind with what was removed, or would be; undefined if it is kept for ever. */
type Pruned = { kind: RetentionKind; tally: Tally | undefined };

/** Removes data that is older than the settings keep it, as the service does every night; or only counts it. */
export async function pruneForOperator(
  { db, config }: Pick<CommandDeps, 'db' | 'config'>,
  { dryRun = false, json = false }: Options,
): Promise<CommandText> {
  const kept = keptDaysOf(config);
  const now = Date.now();
  const { signal } = new AbortController();
  const pruned: Pruned[] = [];
  for (const kind of RETENTION_KINDS) {
    const tally = dryRun
      ? await countOld(db, kind, kept, now)
      : await removeOld(db, kind, kept, { now, signal });
    pruned.push({ kind, tally });
  }
  const rows = Object.fromEntries(
    pruned.flatMap(({ kind, tally }) => (tally?.rows ? [[kind, tally.rows]] : [])),
  );
  if (!dryRun && Object.keys(rows).length > 0)
    await recordForService(db, 'redpen prune', { action: 'data.pruned', id: 'service', after: { rows } });
  if (!dryRun) await dropEmptyLogPartitions(db, now);
  const problem = dryRun ? undefined : await deleteFiles({ db, config });
  const output = json ? printJson(pruned, config, dryRun) : printTable(pruned, config, dryRun);
  return { output, ...(problem !== undefined && { notice: problem }) };
}

/** Deletes the files of what was removed. Returns a sentence if that fails. */
async function deleteFiles({ db, config }: Pick<CommandDeps, 'db' | 'config'>): Promise<string | undefined> {
  const address = blobAddressOf(config, resolve(config.REDPEN_DATA_DIR));
  const setting = blobSettingOf(config);
  try {
    await deleteMarkedFiles(db, openBlobStore(address, { setting }), Date.now());
    return undefined;
  } catch (error) {
    return `Files remain, although nothing refers to them any more: ${(error as Error).message} The service deletes them at night, or this command when it is run again.\n`;
  }
}

function printJson(pruned: readonly Pruned[], config: Config, dryRun: boolean): string {
  const kinds = pruned.map(({ kind, tally }) => ({
    kind,
    setting: SETTING_OF_KIND[kind],
    keptDays: config[SETTING_OF_KIND[kind]] ?? null,
    ...(tally ?? { rows: 0, files: 0, bytes: 0, oldestAt: null }),
  }));
  return `${JSON.stringify({ dryRun, kinds }, null, 2)}\n`;
}

function printTable(pruned: readonly Pruned[], config: Config, dryRun: boolean): string {
  const lines = pruned.map(({ kind, tally }) => {
    const setting = SETTING_OF_KIND[kind];
    const days = config[setting];
    const kept = days === undefined ? 'not set' : `${days} days`;
    const counts = tally
      ? [String(tally.rows), String(tally.files), megabytes(tally.bytes), dateOf(tally.oldestAt)]
      : ['-', '-', '-', '-'];
    return [kind, setting, kept, ...counts];
  });
  const total = pruned.reduce((sum, { tally }) => sum + (tally?.rows ?? 0), 0);
  return [
    table([['KIND', 'SETTING', 'KEPT', 'ROWS', 'FILES', 'MB OF FILES', 'OLDEST'], ...lines]),
    total === 0
      ? 'Nothing is older than the settings keep it.'
      : dryRun
        ? 'Nothing was removed. Without --dry-run, the command removes this.'
        : 'All of this was removed.',
    '',
  ].join('\n');
}

const megabytes = (bytes: number): string => (bytes / 1_048_576).toFixed(1);

const dateOf = (at: number | null): string => (at === null ? '-' : new Date(at).toISOString());
