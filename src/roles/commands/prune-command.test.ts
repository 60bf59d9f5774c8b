import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { pino } from 'pino';
import { expect, onTestFinished, test } from 'vitest';
import { newDatabase } from '../../../test/database/new-database.ts';
import { readConfig } from '../../config.ts';
import { openDatabase } from '../../db/connections/connect.ts';
import type { Deps } from '../../deps.ts';
import { prunedRows } from '../../jobs/job-metrics.ts';
import { DAY_MS } from '../../lib/day.ts';
import { openBlobStore } from '../../outside/storage/open-blob-store.ts';
import { insertArtifacts } from '../../store/agents/artifacts.ts';
import { insertExecution } from '../../store/agents/executions.ts';
import { maintenanceRetain } from '../jobs/maintenance-retain.ts';
import { keptDaysOf } from '../setup/kept-days.ts';
import { pruneForOperator } from './prune-command.ts';

const daysAgo = (days: number) => Date.now() - days * DAY_MS;

/** A database with an ended run of 40 days ago, which has a file of 3 bytes, and one of 10 days ago. */
async function withRuns() {
  const folder = mkdtempSync(join(tmpdir(), 'redpen-prune-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const { url, drop } = await newDatabase();
  onTestFinished(drop);
  const { db, close } = await openDatabase({ databaseUrl: url, onError: () => {} });
  onTestFinished(close);
  const blobs = openBlobStore(pathToFileURL(join(folder, 'blobs')).href);
  await db.transaction().execute(async (tx) => {
    for (const days of [40, 10])
      await insertExecution(tx, {
        ...{ apiKeyId: 'key', executionId: `run-${days}`, agentId: 'a', agentName: 'A', agentVersion: 1 },
        ...{
          organizationId: '',
          documentId: '',
          seedUrl: 'http://127.0.0.1:9/',
          reviewId: null,
          attempts: 1,
        },
        ...{ status: 'passed', trigger: 'standalone', ranBy: null, leaseOwner: null, leaseUntil: 0 },
        ...{ request: {} as never, outcome: {} as never },
        ...{ startedAt: daysAgo(days), completedAt: daysAgo(days) },
      });
    const blobKey = 'key/run-40/file';
    await blobs.put(blobKey, Buffer.from('abc'), 'text/plain');
    const about = { apiKeyId: 'key', artifactId: 'file', executionId: 'run-40', blobKey, sizeBytes: 3 };
    await insertArtifacts(tx, [{ ...about, name: 'f', mimeType: 'text/plain', createdAt: daysAgo(40) }]);
  });
  const configOf = (env: Record<string, string>) => readConfig({ REDPEN_DATA_DIR: folder, ...env });
  return { db, blobs, configOf };
}

const KEEP = { REDPEN_KEEP_RUNS: '30' };

test('a dry run shows what is older than the settings keep it, and removes nothing', async () => {
  const { db, blobs, configOf } = await withRuns();
  const config = configOf(KEEP);
  const { output } = await pruneForOperator({ db, config }, { dryRun: true });
  expect(output).toMatch(/^runs +REDPEN_KEEP_RUNS +30 days +2 +1 +0\.0 +\d{4}-/m);
  expect(output).toMatch(/^notifications +REDPEN_KEEP_NOTIFICATIONS +not set +- +- +- +-$/m);
  expect(output).toMatch(/\nNothing was removed\. Without --dry-run, the command removes this\.\n$/);
  const dry = await pruneForOperator({ db, config }, { dryRun: true, json: true });
  expect(await blobs.get('key/run-40/file')).toBeDefined();
  const real = await pruneForOperator({ db, config }, { json: true });
  expect(JSON.parse(real.output)).toEqual({ ...JSON.parse(dry.output), dryRun: false });
  expect(JSON.parse(real.output).kinds[0]).toMatchObject({
    ...{ kind: 'runs', setting: 'REDPEN_KEEP_RUNS', keptDays: 30, rows: 2, files: 1, bytes: 3 },
  });
  expect(await blobs.get('key/run-40/file')).toBeUndefined();
  const left = await db.selectFrom('executions').select('executionId').execute();
  expect(left).toEqual([{ executionId: 'run-10' }]);
  const after = await pruneForOperator({ db, config }, {});
  expect(after.output).toMatch(/\nNothing is older than the settings keep it\.\n$/);
});

test('without settings nothing is removed, and files that cannot be deleted are left for later', async () => {
  const { db, configOf } = await withRuns();
  await pruneForOperator({ db, config: configOf({}) }, {});
  expect(await db.selectFrom('executions').select('executionId').execute()).toHaveLength(2);
  const config = configOf({ ...KEEP, REDPEN_BLOB_URL: 'file:///dev/null/blobs' });
  const { output, notice } = await pruneForOperator({ db, config }, {});
  expect(output).toContain('All of this was removed.');
  expect(notice).toMatch(/^Files remain, although nothing refers to them any more: .* run again\.\n$/);
  const marked = await db.selectFrom('knowledgeTrash').select('blobKey').execute();
  expect(marked).toEqual([{ blobKey: 'key/run-40/' }]);
});

test('the nightly job removes the same, and logs and counts it', async () => {
  const { db, blobs, configOf } = await withRuns();
  const lines: string[] = [];
  const log = pino({}, { write: (line: string) => lines.push(line) });
  const settings = { keptDays: keptDaysOf(configOf(KEEP)) };
  const deps = { db, log, outside: { blobs }, settings } as unknown as Deps;
  const counted = async () =>
    (await prunedRows.get()).values.find(({ labels }) => labels.kind === 'runs')?.value ?? 0;
  const before = await counted();
  await maintenanceRetain.run({}, deps, new AbortController().signal);
  expect((await counted()) - before).toBe(2);
  expect(lines.map((line) => JSON.parse(line) as object)).toMatchObject([
    { msg: 'old data removed', removed: { runs: { rows: 2, files: 1, bytes: 3 } } },
  ]);
  expect(await blobs.get('key/run-40/file')).toBeUndefined();
  await expect(
    maintenanceRetain.run({}, deps, AbortSignal.abort(new Error('The process stops.'))),
  ).rejects.toThrow('The process stops.');
});
