import { sql } from 'kysely';
import { pino } from 'pino';
import { expect, onTestFinished, test } from 'vitest';
import { newDatabase } from '../../test/database/new-database.ts';
import { countOf } from '../../test/house/metric-counts.ts';
import { beginOperation } from '../lib/tracing/tracing.ts';
import { openDatabase } from './connections/connect.ts';
import { slowStatements } from './database-metrics.ts';
import { describeStatement, watchStatements, withoutLiterals } from './statement-watch.ts';

const TEXT = 'select pg_sleep($1), $2 as secret';

function watch(slowMs: number) {
  const lines: Record<string, unknown>[] = [];
  const log = pino({ base: null, timestamp: false }, { write: (line) => lines.push(JSON.parse(line)) });
  return { onStatement: watchStatements({ log, slowMs }), lines };
}

test('a slow statement is logged with its operation, once a minute, and counted', async () => {
  const { onStatement, lines } = watch(30);
  const before = await countOf(slowStatements);
  beginOperation('/v2/slow').run(() => onStatement(TEXT, 40.4, undefined));
  onStatement(TEXT, 30, undefined);
  onStatement(TEXT, 29.9, undefined);
  expect(lines).toEqual([
    {
      level: 40,
      ms: 40,
      operation: '/v2/slow',
      statement: TEXT,
      next: expect.any(String),
      msg: 'statement is slow',
    },
  ]);
  expect(await countOf(slowStatements)).toBe(before + 2);
});

test('with 0, no statement is slow', () => {
  const { onStatement, lines } = watch(0);
  onStatement(TEXT, 60_000, undefined);
  expect(lines).toEqual([]);
});

test('a database reports each statement without values, with its time', async () => {
  const seen: { text: string; ms: number }[] = [];
  const { url, drop } = await newDatabase();
  onTestFinished(drop);
  const onStatement = (text: string, ms: number) => void seen.push({ text, ms });
  const database = await openDatabase({ databaseUrl: url, onError: () => {}, onStatement });
  await sql`select pg_sleep(${0}), ${'SECRET'} as secret`.execute(database.db);
  await database.close();
  expect(seen).toContainEqual({ text: TEXT, ms: expect.any(Number) });
  expect(JSON.stringify(seen)).not.toContain('SECRET');
});

test.each([
  ['select * from "users" where "id" = $1', 'SELECT users'],
  ['with old as (delete from a returning *) insert into b select * from old', 'INSERT b'],
  ['with gone as (delete from events) select count(*) from gone', 'SELECT gone'],
  ['update jobs.job set state = $1', 'UPDATE jobs.job'],
  ['select 1 from (select * from inner_table) as one', 'SELECT inner_table'],
  ['select pg_notify($1, $2)', 'SELECT'],
  ['select * from jsonb_to_recordset($1) as item join users on true', 'SELECT'],
  ['insert into a (b) select c from jsonb_to_recordset($1) as d', 'INSERT a'],
  ['begin', 'BEGIN'],
  ['explain select 1 from a', 'SELECT a'],
  ['vacuum', 'STATEMENT'],
])('%s is described as %s', (text, summary) => {
  expect(describeStatement(text).summary).toBe(summary);
});

test('literals are left out of texts of others', () => {
  const text = `select 'it''s', $1, 'a b' from jobs.job where name = 'x'`;
  expect(withoutLiterals(text)).toBe(`select '?', $1, '?' from jobs.job where name = '?'`);
});

test('a long text is cut, and white space is one space', () => {
  const { attributes } = describeStatement(`select\n    ${'a, '.repeat(3_000)}b from c`);
  expect(attributes['db.query.text']).toMatch(/^select a, a, .*…$/);
  expect(attributes['db.query.text'].length).toBe(2_000);
});
