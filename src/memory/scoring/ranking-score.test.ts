import { expect, test } from 'vitest';
import { type Candidate, CandidatePool, queryWords, selectBest } from './ranking-score.ts';

const namesIn = (query: string) => queryWords(query).flatMap(({ word, isName }) => (isName ? [word] : []));

test('names are recognized by digits, underscores and inner capitals', () => {
  expect(namesIn('Why does MAX_RETRIES fail with ERR-4521 in fetchAll of the drop-down?')).toEqual([
    'maxretry',
    'err4521',
    '4521',
    'fetchall',
  ]);
});

test('a long query is searched by its names and longest words', () => {
  const query = `${Array.from({ length: 300 }, (_, at) => 'x'.repeat(10 + (at % 40)) + String.fromCodePoint(0x4e00 + at)).join(' ')} JIRA-7`;
  const wanted = queryWords(query);
  expect(wanted).toHaveLength(40);
  expect(wanted[0]).toEqual({ word: 'jira7', isName: true });
});

test('a rare word lifts a judgment more than a common one, and equal scores keep the order of time', () => {
  const words = queryWords('contrast page');
  const of = (judgmentId: string, matched: number, createdAt = 0): Candidate => ({
    judgmentId,
    createdAt,
    matched,
    similarity: 0.5,
    model: 'm',
  });
  const pool = new CandidatePool(2);
  const older = Array.from({ length: 600 }, (_, at) => of(`older${at}`, 2, -1));
  for (const one of [of('page', 2), ...older, of('newer', 2, 5), of('contrast', 1)]) pool.add(one);
  const counts = pool.counts(words.length);
  expect(counts).toEqual({ total: 603, frequencies: [1, 602] });
  const found = selectBest(pool.candidates(), counts, { words, queriedModels: ['m'], limit: 10 });
  expect(found.map(({ judgmentId }) => judgmentId)).toEqual(['contrast', 'newer', 'page']);
  expect(found.map(({ similarity }) => similarity)).toEqual([0.5, 0.5, 0.5]);
  expect(found[0]!.score).toBeGreaterThan(found[1]!.score + 0.05);
});

test('reading a query takes linear time, whatever letters it contains', () => {
  for (const letter of ['x', '文', 'aB', 'x_']) {
    expect(queryWords(letter.repeat(100_000)).length).toBeLessThanOrEqual(40);
  }
});
