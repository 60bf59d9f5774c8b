import { expect, test, vi } from 'vitest';
import { type Decidable, DecisionQueue, type DecisionRequest, isFinal } from './decision-queue.ts';

const finding = (id: string, more: Partial<Decidable> = {}): Decidable => ({ id, title: id, ...more });

/** A queue whose decisions wait until they are flushed, and what it sent. */
function queueOf(answer: (request: DecisionRequest) => Map<string, string> = () => new Map()) {
  const sent: DecisionRequest[] = [];
  const failures: string[] = [];
  const onSaved = vi.fn();
  const queue = new DecisionQueue({
    async send(request) {
      sent.push(request);
      return answer(request);
    },
    onFailure: (sentence) => void failures.push(sentence),
    onSaved,
    waitMs: 1e8,
  });
  return { queue, sent, failures, onSaved };
}

test('a decision is shown at once, and sent when the page goes', async () => {
  const { queue, sent, onSaved } = queueOf();
  const [one, other] = [finding('a'), finding('b')];
  queue.decide([one, other], 'rejected', 'A quotation.');
  expect(queue.shown(one)).toEqual({ decision: 'rejected', reason: 'A quotation.', isPending: true });
  expect(sent).toEqual([]);
  queue.flush();
  await expect.poll(() => onSaved.mock.calls.length, { timeout: 2_000 }).toBe(1);
  expect(sent).toEqual([{ findingIds: ['a', 'b'], decision: 'rejected', reason: 'A quotation.' }]);
  expect(queue.shown(one)).toEqual({ decision: 'rejected', reason: 'A quotation.' });
  // Data that is read again says itself what was decided.
  expect(queue.shown(finding('a'))).toMatchObject({ decision: 'undecided' });
});

test('an undone decision is never sent', () => {
  const { queue, sent } = queueOf();
  const one = finding('a', { decision: 'accepted' });
  queue.undo(queue.decide([one], 'resolved'));
  queue.flush();
  expect(sent).toEqual([]);
  expect(queue.shown(one).decision).toBe('accepted');
});

test('undoing a decision that the service has already decides anew', async () => {
  const { queue, sent, onSaved } = queueOf();
  const one = finding('a');
  const batch = queue.decide([one], 'rejected');
  queue.flush();
  await expect.poll(() => onSaved.mock.calls.length, { timeout: 2_000 }).toBe(1);
  queue.undo(batch);
  await expect.poll(() => onSaved.mock.calls.length, { timeout: 2_000 }).toBe(2);
  expect(sent.map(({ decision }) => decision)).toEqual(['rejected', 'undecided']);
  expect(queue.shown(one)).toEqual({ decision: 'undecided' });
});

test('a refused decision is taken back, and its sentence is said', async () => {
  const { queue, failures } = queueOf(() => new Map([['a', 'Finding not found.']]));
  const [one, other] = [finding('a'), finding('b')];
  queue.decide([one, other], 'accepted');
  queue.flush();
  await expect.poll(() => failures, { timeout: 2_000 }).toEqual(['“a” was not decided: Finding not found.']);
  expect([queue.shown(one).decision, queue.shown(other).decision]).toEqual(['undecided', 'accepted']);
});

test('many findings are decided in parts of 100', async () => {
  const { queue, sent, onSaved } = queueOf();
  queue.decide(
    Array.from({ length: 250 }, (_, at) => finding(`f${at}`)),
    'accepted',
  );
  queue.flush();
  await expect.poll(() => onSaved.mock.calls.length, { timeout: 2_000 }).toBe(1);
  expect(sent.map(({ findingIds }) => findingIds.length)).toEqual([100, 100, 50]);
});

test('a decision holds for all findings for which the suggestion stands', async () => {
  const { queue, onSaved } = queueOf();
  const one = finding('a', { annotationId: 'ann_1' });
  queue.decide([one], 'accepted');
  queue.flush();
  await expect.poll(() => onSaved.mock.calls.length, { timeout: 2_000 }).toBe(1);
  const other = finding('b', { annotationId: 'ann_1' });
  expect(queue.shown(other).decision).toBe('accepted');
  expect(isFinal(other, queue.shown(other))).toBe(true);
  expect(isFinal(finding('c'), { decision: 'accepted' })).toBe(false);
});
