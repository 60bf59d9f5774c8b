import { expect, test } from 'vitest';
import type { StoredJudgment } from '../../store/memory/judgments.ts';
import { subjectOf } from './finding-subject.ts';
import { precedentOf } from './precedent-of.ts';
import { similarityOf } from './subject-similarity.ts';

const judged = (annotationId: string | null, decision: string, createdAt: number, reviewerId = 'ann') => ({
  judgment: {
    judgmentId: `${annotationId}-${reviewerId}-${createdAt}`,
    organizationId: 'o',
    documentId: 'd',
    annotationId,
    decision,
    createdAt,
    reviewerId,
  } as StoredJudgment,
  similarity: 0.95,
});

const outcome = (...similar: ReturnType<typeof judged>[]) => {
  const { isDecisive, precedent } = precedentOf('document', similar);
  return [isDecisive, precedent?.rejected, precedent?.approved];
};

test('only a habit of rejecting is a precedent, counted by annotation and by the last judgment of each reviewer', () => {
  expect(outcome(judged('a', 'reject', 1), judged('a', 'reject', 2, 'bob'))).toEqual([
    false,
    undefined,
    undefined,
  ]);
  expect(outcome(judged('a', 'reject', 1), judged('b', 'disagree', 2))).toEqual([true, 2, 0]);
  // A reviewer who changes sides, reviewers who disagree, and an agreement after a rejection.
  expect(outcome(judged('a', 'reject', 1), judged('b', 'reject', 2), judged('b', 'approve', 3))[1]).toBe(
    undefined,
  );
  expect(outcome(judged('a', 'reject', 1), judged('b', 'reject', 2), judged('b', 'agree', 3))[1]).toBe(2);
  expect(outcome(judged('a', 'reject', 1), judged('b', 'reject', 2), judged('b', 'agree', 1, 'bob'))[1]).toBe(
    undefined,
  );
  const nine = Array.from({ length: 9 }, (_, index) => judged(`n${index}`, 'reject', 10 + index));
  expect(outcome(...nine, judged('old', 'approve', 1))).toEqual([true, 9, 1]);
  expect(outcome(...nine, judged('new', 'approve', 99))).toEqual([true, undefined, undefined]);
  expect(outcome(...nine.slice(1), judged('old', 'approve', 1))).toEqual([true, undefined, undefined]);
});

const complaint = (title: string, description: string, targetText = '', url = '') =>
  subjectOf({ issueType: 'x', title, description, targetText, url });
// With equal vectors, complaints differ only by the words that they are bound to.
const vectors = { maskedVector: Float32Array.of(1), fullVector: Float32Array.of(1) };
const isLike = (one: ReturnType<typeof complaint>, other: ReturnType<typeof complaint>) =>
  similarityOf({ subject: one, ...vectors }, { subject: other, ...vectors }) !== undefined;

test('a decision about certain words, numbers or addresses does not apply to others', () => {
  const spelling = (word: string) => complaint('Spelling error', `“${word}” is not spelt right here.`, word);
  expect(isLike(spelling('Acmeify'), spelling('Acmeify'))).toBe(true);
  expect(isLike(spelling('recieve'), spelling('Acmeify'))).toBe(false);
  expect(isLike(spelling('RedPen'), spelling('Redpen'))).toBe(false);
  const price = (words: string) =>
    complaint('Wrong price', 'It differs from the one on the page of prices.', words);
  expect(isLike(price('49 a month'), price('99 a month'))).toBe(false);
  const link = (url: string) =>
    complaint('Broken (HTTP 404)', 'The link answers with HTTP 404.', 'here', url);
  expect(isLike(link('https://a.example/x'), link('https://a.example/y'))).toBe(false);
  expect(isLike(complaint('Typo', '“a b”', 'a b'), complaint('Typo', '“c d”', 'c d'))).toBe(false);
  const casing = (words: string) =>
    complaint('Not in sentence case', `The heading “${words}” uses capitals.`, words);
  expect(isLike(casing('Our Services'), casing('Contact Sales'))).toBe(true);
});
