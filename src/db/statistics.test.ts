import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { openDatabase } from './connect.ts';
import { migrate } from './migrate.ts';
import { refreshStatistics } from './statistics.ts';

test('a table that has grown is looked at anew, once', async () => {
  const { db, close } = await openDatabase({ onError: () => {} });
  try {
    await migrate(db);
    expect(await refreshStatistics(db)).toEqual([]);
    await sql`insert into rate_counters (bucket, window_start, used)
      select 'bucket number ' || n, n, n from generate_series(1, 20000) as n`.execute(db);
    expect(await refreshStatistics(db)).toEqual(['rate_counters']);
    const { rows } = await sql<{ rows: number }>`
      select reltuples as rows from pg_class where relname = 'rate_counters'`.execute(db);
    expect(rows).toEqual([{ rows: 20_000 }]);
    expect(await refreshStatistics(db)).toEqual([]);
  } finally {
    await close();
  }
});
