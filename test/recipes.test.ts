import { execFile } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { newDatabase } from './database/new-database.ts';
import { tableRows } from './house/docs-tables.ts';
import { applyStep, readSteps, revertStep } from './house/recipes.ts';
import { isThorough } from './run/rounds.ts';

const run = promisify(execFile);
const root = resolve(import.meta.dirname, '..');

/** Copies the source and the documentation, and links the packages of this checkout. */
function copySource(): string {
  const copy = mkdtempSync(join(tmpdir(), 'redpen-recipes-'));
  onTestFinished(() => rmSync(copy, { recursive: true, force: true }));
  for (const name of ['src', 'docs', 'package.json'])
    cpSync(join(root, name), join(copy, name), { recursive: true });
  // The review command uses the client.
  cpSync(join(root, 'packages/client/src'), join(copy, 'packages/client/src'), { recursive: true });
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'));
  const tsconfig = { extends: join(root, 'tsconfig.json'), include: ['src'], exclude: ['**/*.test.ts'] };
  writeFileSync(join(copy, 'tsconfig.json'), JSON.stringify(tsconfig));
  return copy;
}

const readTree = (folder: string): Record<string, string> =>
  Object.fromEntries(
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
      .sort()
      .map((file) => [file, readFileSync(file, 'utf8')]),
  );

/** A script that runs in the copy and prints its parts as JSON. */
const LIST_PARTS = `
const { endpoints } = await import('./src/api/index.ts');
const { gatherStrategies } = await import('./src/review/gather/index.ts');
const { services } = await import('./src/review/services/index.ts');
const { builtinAgents } = await import('./src/review/agents/builtin/index.ts');
const { webhookEvents } = await import('./src/webhooks/catalog/webhook-catalog.ts');
const { JOBS } = await import('./src/roles/jobs/index.ts');
const { openDatabase } = await import('./src/db/connections/connect.ts');
const { migrate } = await import('./src/db/migrate.ts');
const { readConfig } = await import('./src/config.ts');
const database = await openDatabase({ databaseUrl: process.env.DATABASE_URL, onError: console.error });
const migrations = await migrate(database.db);
await database.close();
console.log(JSON.stringify({
  endpoints: endpoints.map(({ path }) => path),
  strategies: gatherStrategies.map(({ name }) => name),
  services: services.map(({ id }) => id),
  agents: builtinAgents.map(({ agentId }) => agentId),
  events: Object.keys(webhookEvents),
  jobs: JOBS.map(({ name }) => name),
  migrations,
  settings: Object.keys(readConfig({})),
}));
process.exit();
`;

test('each recipe adds its part, and reverting it leaves nothing behind', async () => {
  const steps = readSteps(readFileSync(join(root, 'CONTRIBUTING.md'), 'utf8'));
  const copy = copySource();
  const before = [readTree(join(copy, 'src')), readTree(join(copy, 'docs'))];

  for (const step of steps) applyStep(copy, step);
  // A check of the types of the whole source.
  if (isThorough)
    await run(join(root, 'node_modules/.bin/tsc'), ['--noEmit'], { cwd: copy }).catch((error) => {
      throw new Error(`The recipes do not compile.\n${error.stdout}`);
    });
  const { url } = await newDatabase();
  const { stdout } = await run(process.execPath, ['--input-type=module', '--eval', LIST_PARTS], {
    cwd: copy,
    env: { ...process.env, DATABASE_URL: url },
  });
  const parts = JSON.parse(stdout) as Record<string, string[]>;
  expect(parts).toMatchObject({
    endpoints: expect.arrayContaining(['/v2/presence/count']),
    strategies: expect.arrayContaining(['page-title']),
    services: expect.arrayContaining(['thin-page']),
    agents: expect.arrayContaining(['thin-page']),
    events: expect.arrayContaining(['presence.count']),
    jobs: expect.arrayContaining(['presence.prune']),
    migrations: expect.arrayContaining(['0033-presence-notes']),
    settings: expect.arrayContaining(['REDPEN_PRESENCE_USERS']),
  });
  const page = readFileSync(join(copy, 'docs/review-agents.md'), 'utf8');
  const documented = (heading: string) => tableRows(page, heading).map(([cell]) => cell!.replaceAll('`', ''));
  expect(documented('`contextGathering.strategies`').sort()).toEqual([...parts.strategies!, 'none'].sort());
  expect(documented('Agent').sort()).toEqual(parts.agents!.toSorted());

  for (const step of steps.toReversed()) revertStep(copy, step);
  expect([readTree(join(copy, 'src')), readTree(join(copy, 'docs'))]).toEqual(before);
});
