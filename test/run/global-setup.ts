import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { openDatabase } from '../../src/db/connections/connect.ts';
import { migrate } from '../../src/db/migrate.ts';
import { startJobQueue } from '../../src/jobs/queue.ts';
import { randomId } from '../../src/lib/ids.ts';
import { JOBS } from '../../src/roles/jobs/index.ts';
import { asAdmin, type Databases, templateOf, urlOf, workerDatabase } from '../database/new-database.ts';
import { isThorough } from './rounds.ts';
import { openTestServer, type TestServer } from './test-server.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    databases: Databases;
  }
}

/** Starts a server before the first test of a run, and creates a database on it for each worker. */
export default async function setUp(project: TestProject): Promise<() => Promise<void>> {
  const tearDown = await createDatabases(project, await openTestServer());
  return async () => {
    await tearDown();
    if (!isThorough)
      process.stdout.write(
        'Kills, interruptions and fuzzing ran few rounds, and dear tests of what seldom breaks did not run: npm run test:all runs all. Tests of other servers run in .ci/run.\n',
      );
  };
}

/**
 * Creates a role that may only use its own databases, a template database with all tables, and a copy of it for each
 * worker. Returns a function that drops them and stops the server.
 */
export async function createDatabases(
  project: TestProject,
  server: TestServer,
): Promise<() => Promise<void>> {
  const run = `redpen_${randomId(8).toLowerCase()}`;
  const { admin, createOptions = '' } = server;
  const { service = admin, poolsTransactions = false } = server;
  const databases: Databases = { admin, service, poolsTransactions, role: run, prefix: run };
  const template = templateOf(databases);
  const scratch = mkdtempSync(join(tmpdir(), 'redpen-run-'));
  // Where the first test that starts a service puts a data folder for the others to copy.
  process.env.SUITE_DATA_TEMPLATE = join(scratch, 'data');
  const tearDown = async () => {
    rmSync(scratch, { recursive: true, force: true });
    await asAdmin(databases, async (client) => {
      const { rows } = await client.query<{ name: string }>(
        'select datname as name from pg_database where starts_with(datname, $1)',
        [run],
      );
      // A worker that ends drops its own.
      for (const { name } of rows) await client.query(`drop database if exists ${name} with (force)`);
      await client.query(`drop role if exists ${run}`);
    });
    await server.stop();
  };
  try {
    await asAdmin(databases, async (client) => {
      await client.query(`create role ${run} login`);
      await client.query(`create database ${template} owner ${run} ${createOptions}`);
    });
    await server.prepare?.(databases);
    // Not through a pooler, which would stay connected: a database with connections cannot be a template.
    await fill(urlOf({ ...databases, service: admin }, template));
    await asAdmin(databases, async (client) => {
      for (let worker = 1; worker <= project.config.maxWorkers; worker++) {
        const name = workerDatabase(databases, worker);
        await client.query(`create database ${name} owner ${run} template ${template}`);
      }
    });
  } catch (error) {
    await tearDown();
    throw error;
  }
  project.provide('databases', databases);
  return tearDown;
}

/** Creates all tables of the service and of its job queue in an empty database. */
async function fill(databaseUrl: string): Promise<void> {
  const onError = (error: Error) => process.stderr.write(`${error.stack}\n`);
  const database = await openDatabase({ databaseUrl, onError });
  await migrate(database.db);
  const jobs = await startJobQueue(database, JOBS, onError, { maxWaiting: 1_000 });
  await jobs.stop(0);
  await database.close();
}
