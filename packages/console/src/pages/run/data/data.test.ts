import type { FindingRecord } from '@redpen/client';
import { expect, test } from 'vitest';
import { readRunSearch, writeRunSearch } from '../run-search.ts';
import { decisionOn, filterRun } from './filter-run.ts';
import { faultId, findingsOf, rowsOf, stopsOf } from './list-rows.ts';
import { groupFaults, mergeRun } from './merge-run.ts';
import { asSeenBy, RunRecords } from './run-records.ts';

const record = (id: string, more: Partial<FindingRecord> = {}): FindingRecord => ({
  id,
  fingerprint: id,
  title: id,
  description: '',
  severity: 'medium',
  targetText: '',
  occurrence: 1,
  sourceUrl: 'https://a.example/',
  pageUrl: 'https://a.example/',
  suggestion: '',
  htmlSelector: `#${id}`,
  targetElementXpath: '',
  isPageLevel: false,
  issueType: 'some-rule',
  findingType: 'pin',
  confidence: 90,
  source: 'instructions',
  agentId: 'one',
  agentName: 'One',
  state: 'new',
  executionId: 'exec_1',
  firstExecutionId: 'exec_1',
  firstSeenAt: 1,
  lastSeenAt: 1,
  seenCount: 1,
  ...more,
});

const merge = (records: FindingRecord[], isCompared = false) =>
  mergeRun(new Map([['exec_1', records]]), { pages: ['https://a.example/'], isCompared });

test('findings of several agents about one fault are one, numbered from the gravest', () => {
  const alt = { issueType: 'image-alt', htmlSelector: '#logo' };
  const found = merge(
    [
      record('a', { severity: 'low' }),
      record('b', { ...alt }),
      record('c', { ...alt, agentId: 'two', severity: 'high' }),
      record('d', { state: 'still_there' }),
    ],
    true,
  );
  expect(found.map(({ id, number, severity, state }) => [id, number, severity, state])).toEqual([
    ['b', 1, 'high', 'new'],
    ['d', 2, 'medium', 'still_there'],
    ['a', 3, 'low', 'new'],
  ]);
  expect(found[0]!.records.map(({ id }) => id)).toEqual(['b', 'c']);
});

test('findings of one cause are one fault, with its pages', () => {
  const cause = { causeId: 'cause', issueType: 'broken-link' };
  const faults = groupFaults(
    merge([
      record('a', cause),
      record('b', { ...cause, sourceUrl: 'https://a.example/b' }),
      record('c', { ...cause, issueType: 'broken-image' }),
      record('d'),
    ]),
  );
  expect(faults.map(({ findings, pages }) => [findings.map(({ id }) => id), pages])).toEqual([
    [['c'], 1],
    [['a', 'b'], 2],
    [['d'], 1],
  ]);
});

test('the list has a heading for faults in several places, and shows the places of the one that is open', () => {
  const cause = { causeId: 'cause' };
  const [a, b] = [record('a', cause), record('b', { ...cause, sourceUrl: 'https://a.example/b' })];
  const faults = groupFaults(merge([a, record('a2', cause), b, record('c')]));
  const id = faultId(faults[0]!);
  expect(stopsOf(rowsOf(faults, undefined))).toEqual([id, 'c']);
  const open = rowsOf(faults, id);
  expect(open.map(({ kind }) => kind)).toEqual([
    'fault',
    'detail',
    'page',
    'finding',
    'finding',
    'finding',
    'finding',
  ]);
  expect(stopsOf(rowsOf(faults, 'b'))).toEqual([id, 'a', 'a2', 'b', 'c']);
  expect(findingsOf(open, id)).toHaveLength(3);
  expect(open.flatMap((row) => (row.kind === 'finding' ? [row.isAlone] : []))).toEqual([
    false,
    false,
    true,
    true,
  ]);
});

test('filters of the address', () => {
  const found = merge([
    record('a', { severity: 'high', decision: 'rejected' }),
    record('b', { severity: 'high', targetText: 'Free shipping' }),
    record('c', { sourceUrl: 'https://a.example/c', agentId: 'two' }),
  ]);
  const ids = (query: Record<string, unknown>) =>
    filterRun(found, { ...readRunSearch(query), shownPage: 'https://a.example/c' }, ({ decision }) => ({
      decision: decision ?? 'undecided',
    })).map(({ id }) => id);
  expect(ids({})).toEqual(['b', 'c']);
  expect(ids({ shown: 'all' })).toEqual(['a', 'b', 'c']);
  expect(ids({ shown: 'decided' })).toEqual(['a']);
  expect(ids({ shown: 'new' })).toEqual([]);
  expect(ids({ severity: 'high critical' })).toEqual(['b']);
  expect(ids({ agent: 'two' })).toEqual(['c']);
  expect(ids({ only: 'page' })).toEqual(['c']);
  expect(ids({ text: 'SHIPPING' })).toEqual(['b']);
});

test('one decision that closes a fault counts for all agents', () => {
  const alt = { issueType: 'image-alt', htmlSelector: '#logo' };
  const [fault] = merge([
    record('a', { ...alt, decision: 'accepted' }),
    record('b', { ...alt, agentId: 'two', decision: 'rejected' }),
  ]);
  expect(decisionOn(fault!, ({ decision }) => ({ decision: decision! })).decision).toBe('rejected');
});

test('the query of an address is read back as it was written', () => {
  const search = readRunSearch({ tab: 'log', severity: 'low critical', text: 'x', only: 'page', bad: 1 });
  expect(search).toMatchObject({ tab: 'log', severity: ['critical', 'low'], isPageOnly: true });
  expect(readRunSearch(writeRunSearch(search))).toEqual(search);
  expect(Object.values(writeRunSearch(readRunSearch({ tab: 'nonsense', shown: 7 })))).toEqual(
    Array(8).fill(undefined),
  );
});

test('findings that later runs saw again are shown as this run saw them', () => {
  const [shown] = asSeenBy(
    [record('a', { title: 'Later', position: { x: 1, y: 1, width: 1, height: 1 }, state: 'fixed' })],
    [{ ...record('a', { title: 'Then' }), comparison: 'new' }],
  );
  expect(shown).toMatchObject({ title: 'Then', state: 'new' });
  expect(shown).not.toHaveProperty('position');
});

test('the findings of a run are read again after progress, and after an outage', async () => {
  const loads: string[] = [];
  let outages = 1;
  const records = new RunRecords({
    async load(executionId) {
      loads.push(executionId);
      if (outages-- > 0) throw new Error('away');
      return [record(`${executionId} ${loads.length}`)];
    },
    isAway: () => true,
    retryMs: 1,
  });
  const run = (executionId: string, findings: number, status = 'running') => ({
    executionId,
    status,
    progress: { urlsProcessed: findings, findings },
  });
  const idsOf = () => [...records.get().byExecution.values()].flat().map(({ id }) => id);
  records.follow([run('e', 1), run('f', 0)]);
  await expect.poll(idsOf).toEqual(['e 2']);
  records.follow([run('e', 2), run('f', 0)]);
  await expect.poll(idsOf).toEqual(['e 3']);
  records.follow([run('e', 2), run('f', 0, 'passed')]);
  await expect.poll(idsOf).toEqual(['e 3', 'f 4']);
  expect(records.get().isLoading).toBe(false);
});
