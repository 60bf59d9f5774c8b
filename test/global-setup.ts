import type { TestProject } from 'vitest/node';
import { openDatabase } from '../src/db/connect.ts';
import { migrate } from '../src/db/migrate.ts';
import { startJobQueue } from '../src/jobs/queue.ts';
import { randomId } from '../src/lib/ids.ts';
import { asAdmin, type Databases, templateOf, urlOf, workerDatabase } from './new-database.ts';
import { openTestServer } from './test-server.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    databases: Databases;
  }
}

/**
 * Before the first test: a database for each worker, copied from one that has the tables. The service's role owns
 * them and may do nothing else on the server.
 */
export default async function setUp(project: TestProject): Promise<() => Promise<void>> {
  const server = await openTestServer();
  const run = `redpen_${randomId(8).toLowerCase()}`;
  const databases: Databases = {
    admin: server.admin,
    service: server.service,
    owner: server.owner ?? run,
    prefix: run,
  };
  const template = templateOf(databases);
  const ofWorkers = Array.from({ length: project.config.maxWorkers }, (_, index) =>
    workerDatabase(databases, index + 1),
  );
  if (server.owner === undefined) {
    await asAdmin(databases, (client) => client.query(`create role ${run} login`));
  }
  await asAdmin(databases, (client) =>
    client.query(`create database ${template} owner ${databases.owner} ${server.like}`),
  );
  await fill(urlOf(databases, template));
  await asAdmin(databases, async (client) => {
    for (const name of ofWorkers) {
      await client.query(`create database ${name} owner ${databases.owner} template ${template}`);
    }
  });
  project.provide('databases', databases);
  return async () => {
    await asAdmin(databases, async (client) => {
      for (const name of [...ofWorkers, template]) {
        await client.query(`drop database ${name} with (force)`);
      }
      if (server.owner === undefined) await client.query(`drop role ${run}`);
    });
    await server.stop();
  };
}

/** Gives an empty database all tables of the service and of its job queue. */
async function fill(databaseUrl: string): Promise<void> {
  const onError = (error: Error) => process.stderr.write(`${error.stack}\n`);
  const database = await openDatabase({ databaseUrl, onError });
  await migrate(database.db);
  const jobs = await startJobQueue(database, onError);
  await jobs.stop(0);
  await database.close();
}
