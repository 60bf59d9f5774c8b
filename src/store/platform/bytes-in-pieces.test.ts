import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { testApp } from '../../../test/service/harness.ts';
import { withBytesInPieces } from './bytes-in-pieces.ts';

const LARGE = 700_001;

test('bytes that are read in pieces are joined, and rows keep the order of the query', async () => {
  const { deps } = await testApp();
  // Bytes of a given length, of which every 16 differ.
  const bytesOf = (length: number) =>
    sql`(select substring(string_agg(decode(md5(n::text), 'hex'), ''::bytea order by n) from 1 for ${sql.lit(length)})
      from generate_series(1, ${sql.lit(Math.ceil(length / 16) + 1)}) as n)`;
  const query = sql<{ someName: string; first: Uint8Array | null; otherBytes: Uint8Array | null }>`
    select * from (values
      ('b', ${bytesOf(LARGE)}, ${bytesOf(3)}),
      ('a', null::bytea, ${bytesOf(300_000)}),
      ('c', ''::bytea, null::bytea)) as all_of_them(some_name, first, other_bytes) order by some_name desc`;
  const rows = await withBytesInPieces(deps.db, query, {
    bytes: ['first', 'other_bytes'],
    others: ['some_name'],
  });
  const { rows: expected } = await query.execute(deps.db);
  expect(rows).toEqual(expected);
  expect(rows.map(({ first, otherBytes }) => [first?.length, otherBytes?.length])).toEqual([
    [0, undefined],
    [LARGE, 3],
    [undefined, 300_000],
  ]);
  expect(
    await withBytesInPieces(deps.db, sql<object>`select 1 as n, ''::bytea as b where false`, {
      bytes: ['b'],
      others: ['n'],
    }),
  ).toEqual([]);
});
