import { expect, test } from 'vitest';
import { type Schema, tablesOf } from './statement-tables.ts';

const schema: Schema = new Map([
  ['notes', ['key', 'id', 'text']],
  ['pages', ['key', 'id', 'note_id']],
]);

/** The tables of a statement, each with the value to which its key is bound. */
const keys = (sql: string, ...parameters: unknown[]) =>
  tablesOf(sql, parameters, schema).map(({ table, bound }) => [table, bound.key]);

test.each([
  ['a parameter', 'select * from notes where key = $1 and id = $2'],
  ['a cast parameter', 'select * from notes as n where cast($1 as text) = n.key'],
  ['a list of one', 'select * from notes where key in ($1)'],
  ['a row of values', 'select * from notes where (id, key) = ($2, $1)'],
  ['each arm of or', 'select * from notes where (key = $1 and id = 1) or (id = 2 and key = $1)'],
  ['a deletion', 'delete from notes where key = $1 returning *'],
  ['an update', 'update notes set text = $2 where key = $1 and id = 1'],
  ['inserted values', 'insert into notes (id, key) values (1, $1), (2, $1)'],
  ['selected values', 'insert into notes (key, id) select $1, id from unnest($2::text[]) as item(id)'],
  [
    'a filter of JSON',
    'insert into notes (key) select key from json_to_recordset($2) as i(key text) where i.key = $1',
  ],
])('%s binds a table', (_, sql) => {
  expect(keys(sql, 'acme', 'other')).toEqual([['notes', 'acme']]);
});

test.each([
  ['no condition', 'select * from notes'],
  ['another column', 'select * from notes where id = $1'],
  ['one arm of or', 'select * from notes where key = $1 or id = $2'],
  ['a negation', 'select * from notes where not (key = $1)'],
  ['an inequality', 'select * from notes where key >= $1'],
  ['a list', 'select * from notes where key = any($1)'],
  ['two values', 'insert into notes (id, key) values (1, $1), (2, $2)'],
  ['an insertion without it', 'insert into notes (id) values ($1)'],
  ['JSON', 'insert into notes (key) select key from json_to_recordset($1) as i(key text)'],
  ['what is selected', 'select key = $1 from notes'],
  ['an inner condition', 'select * from notes where exists (select 1 where notes.key = $1)'],
  ['a lock', 'lock table notes'],
])('%s does not bind a table', (_, sql) => {
  expect(keys(sql, 'acme', 'other')).toEqual([['notes', undefined]]);
});

const BOTH = [
  ['notes', 'acme'],
  ['pages', 'acme'],
];
const FIRST = [
  ['notes', 'acme'],
  ['pages', undefined],
];

test.each([
  ['a join', 'select * from notes n join pages p on p.key = n.key where n.key = $1', BOTH],
  ['using', 'select * from notes join pages using (key) where pages.key = $1', BOTH],
  ['the optional side', 'select * from notes n left join pages p on p.key = n.key where n.key = $1', BOTH],
  ['a join by id', 'select * from notes n join pages p on p.note_id = n.id where n.key = $1', FIRST],
  [
    'the side that is kept',
    'select * from pages p right join notes n on p.key = n.key and n.key = $1 where n.key = $1',
    [
      ['pages', 'acme'],
      ['notes', 'acme'],
    ],
  ],
  [
    'a condition on the kept side',
    'select * from notes n left join pages p on n.key = $1',
    [
      ['notes', undefined],
      ['pages', undefined],
    ],
  ],
  [
    'an inner query',
    'select * from notes n where key = $1 and exists (select 1 from pages where key = n.key)',
    BOTH,
  ],
  [
    'an inner query by id',
    'select * from notes n where key = $1 and exists (select 1 from pages where note_id = n.id)',
    FIRST,
  ],
  ['with', 'with n as (select key from notes where key = $1) select * from n join pages using (key)', BOTH],
  ['in', 'select * from pages where (key, note_id) in (select key, id from notes where key = $1)', BOTH],
  ['in by id', 'select * from pages where note_id in (select id from notes where key = $1)', FIRST],
  [
    'an insertion of rows',
    'with n as (insert into notes (key) values ($1) returning *) insert into pages (key) select n.key from n',
    BOTH,
  ],
  [
    'a union',
    'with n as (select key from notes where key = $1 union select $1) select * from n join pages using (key)',
    BOTH,
  ],
  [
    'a union with others',
    'with n as (select key from notes where key = $1 union select $2) select * from n join pages using (key)',
    FIRST,
  ],
  [
    'a lateral query',
    'select * from notes n cross join lateral (select * from pages where key = n.key) p where n.key = $1',
    BOTH,
  ],
])('%s', (_, sql, expected) => {
  const found = keys(sql, 'acme', 'other');
  expect(found.toSorted()).toEqual(expected.toSorted());
});

test('a recursion stays within a key only if each step does', () => {
  const walk = (step: string) => `with recursive tree as (
    select key, id from notes where key = $1
    union all select p.key, p.id from tree join pages p on ${step})
    select * from tree join notes using (key)`;
  expect(keys(walk('p.key = tree.key'), 'acme').map(([, key]) => key)).toEqual(['acme', 'acme', 'acme']);
  expect(keys(walk('p.note_id = tree.id'), 'acme').map(([, key]) => key)).toEqual([
    'acme',
    undefined,
    undefined,
  ]);
});
