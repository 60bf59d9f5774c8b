import { expect, test } from 'vitest';
import type { Candidate } from '../store/judgment-ranking.ts';
import { best, count, emptyTally, wantedWords } from './ranking-score.ts';

const namesIn = (query: string) => wantedWords(query).flatMap(({ word, isName }) => (isName ? [word] : []));

test('names are told from words by digits, underscores and capitals within', () => {
  expect(namesIn('Why does MAX_RETRIES fail with ERR-4521 in fetchAll of the drop-down?')).toEqual([
    'maxretry',
    'err4521',
    '4521',
    'fetchall',
  ]);
});

test('of a long query the names and the longest words are looked for', () => {
  const query = `${Array.from({ length: 300 }, (_, at) => 'x'.repeat(10 + (at % 40)) + String.fromCodePoint(0x4e00 + at)).join(' ')} JIRA-7`;
  const wanted = wantedWords(query);
  expect(wanted).toHaveLength(40);
  expect(wanted[0]).toEqual({ word: 'jira7', isName: true });
});

test('a rare word lifts what has it more than one that all have, and equals stay in the order of time', () => {
  const words = wantedWords('contrast page');
  const of = (judgmentId: string, matched: number, createdAt = 0): Candidate => ({
    judgmentId,
    createdAt,
    matched,
    similarity: 0.5,
    model: 'm',
    alike: matched === 2 ? 8 : 1,
  });
  const tally = emptyTally(words, ['m']);
  count(tally, [of('page', 2), of('newer', 2, 5), of('contrast', 1)]);
  expect(tally).toMatchObject({ total: 9, frequencies: [1, 8] });
  const found = best(tally, words, 10);
  expect(found.map(({ judgmentId }) => judgmentId)).toEqual(['contrast', 'newer', 'page']);
  expect(found.map(({ similarity }) => similarity)).toEqual([0.5, 0.5, 0.5]);
  expect(found[0]!.score).toBeGreaterThan(found[1]!.score + 0.05);
});

test('a query is read in one go, whatever letters it is made of', () => {
  for (const letter of ['x', '文', 'aB', 'x_']) {
    expect(wantedWords(letter.repeat(100_000)).length).toBeLessThanOrEqual(40);
  }
});
