import { expect, test } from 'vitest';
import { best, type Candidate, queryWords, Tally } from './ranking-score.ts';

const namesIn = (query: string) => queryWords(query).flatMap(({ word, isName }) => (isName ? [word] : []));

test('names are told from words by digits, underscores and capitals within', () => {
  expect(namesIn('Why does MAX_RETRIES fail with ERR-4521 in fetchAll of the drop-down?')).toEqual([
    'maxretry',
    'err4521',
    '4521',
    'fetchall',
  ]);
});

test('of a long query the names and the longest words are filtered for', () => {
  const query = `${Array.from({ length: 300 }, (_, at) => 'x'.repeat(10 + (at % 40)) + String.fromCodePoint(0x4e00 + at)).join(' ')} JIRA-7`;
  const wanted = queryWords(query);
  expect(wanted).toHaveLength(40);
  expect(wanted[0]).toEqual({ word: 'jira7', isName: true });
});

test('a rare word lifts what has it more than one that all have, and equals stay in the order of time', () => {
  const words = queryWords('contrast page');
  const of = (judgmentId: string, matched: number, createdAt = 0): Candidate => ({
    judgmentId,
    createdAt,
    matched,
    similarity: 0.5,
    model: 'm',
  });
  const tally = new Tally(2);
  const older = Array.from({ length: 600 }, (_, at) => of(`older${at}`, 2, -1));
  for (const one of [of('page', 2), ...older, of('newer', 2, 5), of('contrast', 1)]) tally.add(one);
  const counts = tally.counts(words.length);
  expect(counts).toEqual({ total: 603, frequencies: [1, 602] });
  const found = best(tally.candidates(), counts, { words, asked: ['m'], limit: 10 });
  expect(found.map(({ judgmentId }) => judgmentId)).toEqual(['contrast', 'newer', 'page']);
  expect(found.map(({ similarity }) => similarity)).toEqual([0.5, 0.5, 0.5]);
  expect(found[0]!.score).toBeGreaterThan(found[1]!.score + 0.05);
});

test('a query is read in one go, whatever letters it is made of', () => {
  for (const letter of ['x', '文', 'aB', 'x_']) {
    expect(queryWords(letter.repeat(100_000)).length).toBeLessThanOrEqual(40);
  }
});
