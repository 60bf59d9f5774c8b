import { once } from 'node:events';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { STARTING, startStartingDatabase } from '../fakes/starting-database.ts';
import { until } from '../run/until.ts';
import { ownDatabase } from '../service/own-database.ts';
import { newPlace, startRedpen } from '../service/redpen-command.ts';
import { spawnService } from '../service/service.ts';

let env: Record<string, string>;
beforeAll(async () => {
  ({ env } = await ownDatabase());
});

const WAITING = 'waiting for the database server of DATABASE_URL to accept connections';

/** Starts the service on a database server that is starting, and waits until it says so. */
async function startOn(url: string) {
  const child = spawnService({ ...env, DATABASE_URL: url });
  onTestFinished(() => void child.kill('SIGKILL'));
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += String(chunk)));
  const says = (text: string) =>
    until(() => output.includes(text) || child.exitCode !== null, text).then(() =>
      expect(output).toContain(text),
    );
  await says(WAITING);
  expect(output).toContain(STARTING.message);
  return { child, says, output: () => output };
}

test('a service that starts before its database server waits for it', async () => {
  await using server = await startStartingDatabase(env.DATABASE_URL!, STARTING);
  const { child, says, output } = await startOn(server.url);
  server.set('open');
  await says('"url":"http://127.0.0.1:');
  expect(output()).toContain('the database server accepts connections');
  child.kill('SIGTERM');
  expect(await once(child, 'exit')).toEqual([0, null]);
});

test('a command waits for the database server as well', async () => {
  await using server = await startStartingDatabase(env.DATABASE_URL!, STARTING);
  const place = newPlace();
  onTestFinished(place.remove);
  const command = startRedpen(place, ['workspace', 'list'], { DATABASE_URL: server.url });
  await command.says(WAITING);
  server.set('open');
  expect(await command.ended).toMatchObject({ code: 0 });
});

test('a service that waits for its database server ends at once and without a fault when it is stopped', async () => {
  await using server = await startStartingDatabase(env.DATABASE_URL!, STARTING);
  const { child, output } = await startOn(server.url);
  child.kill('SIGTERM');
  expect(await once(child, 'exit')).toEqual([0, null]);
  expect(output()).not.toContain('cannot start');
});
