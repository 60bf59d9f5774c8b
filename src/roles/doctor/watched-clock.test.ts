import { Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import { testApp } from '../../../test/service/harness.ts';
import type { Tables } from '../../db/tables.ts';
import { watchedClock } from './watched-clock.ts';

const { signal } = new AbortController();

test('a clock that differs from that of the database server by more than a minute is a fault until it is set', async () => {
  const { deps } = await testApp();
  let aheadMs = 0;
  const clock = watchedClock(deps.db, () => Date.now() + aheadMs);
  // A busy machine may answer too slowly to tell the time.
  const runUntil = async (status: string) => {
    for (;;) {
      const finding = await clock.run(signal);
      if (finding.status === status) return finding;
    }
  };
  aheadMs = 240_000;
  expect(await runUntil('failed')).toMatchObject({
    found: expect.stringContaining('ahead of the database server'),
    brief: 'The clock of this machine differs from others by more than a minute.',
  });
  aheadMs = -240_000;
  await expect
    .poll(async () => (await clock.run(signal)).found, { timeout: 300_000 })
    .toContain('behind the database server');
  aheadMs = 0;
  expect(await runUntil('ok')).toMatchObject({ found: 'The clock agrees with the database server.' });
});

test('while the database server cannot be reached, the clock is not at fault', async () => {
  const pool = new pg.Pool({ connectionString: 'postgres://127.0.0.1:9/redpen' });
  const db = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) });
  onTestFinished(() => db.destroy());
  expect(await watchedClock(db).run(signal)).toMatchObject({ status: 'skipped' });
});
