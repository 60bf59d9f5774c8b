import { once } from 'node:events';
import pg from 'pg';
import { expect, test } from 'vitest';
import { readConfig } from '../../src/config.ts';
import { version } from '../../src/lib/version.ts';
import { createClocks } from '../../src/roles/doctor/check-clock.ts';
import { checkDatabase, openForCheck } from '../../src/roles/doctor/check-database.ts';
import { atEnd } from '../run/at-end.ts';
import { ownDatabase } from '../service/own-database.ts';
import { newPlace, runRedpen } from '../service/redpen-command.ts';
import { spawnService } from '../service/service.ts';

const REASON = `This is Redpen ${version}, and Redpen 99.1.0 has changed the tables of the database (9999-later).`;

test('a service, a command and the doctor refuse a database that a newer version has migrated', async () => {
  const { env, databaseUrl } = await ownDatabase();
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  await client.query("insert into kysely_migration values ('9999-later', '2030-01-01')");
  await client.query("comment on table kysely_migration is '99.1.0'");
  await client.end();

  const service = spawnService(env);
  let output = '';
  service.stderr.on('data', (chunk) => (output += String(chunk)));
  expect(await once(service, 'close')).toEqual([1, null]);
  expect(output).toBe(
    `Redpen cannot start. ${REASON} Run the newer version, or restore the backup from before the upgrade: see docs/upgrading.md.\n`,
  );

  const place = newPlace();
  atEnd(place.remove);
  const ended = await runRedpen(place, ['workspace', 'list'], env);
  expect(ended).toMatchObject({ code: 1, stderr: expect.stringContaining(REASON) });

  const opened = await openForCheck(readConfig({ DATABASE_URL: databaseUrl }));
  if (opened.kind === 'open') atEnd(() => opened.database.close());
  expect(await checkDatabase(opened, createClocks())).toMatchObject({
    status: 'failed',
    found: expect.stringContaining(REASON),
  });
});
