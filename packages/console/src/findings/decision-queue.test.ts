import { expect, test, vi } from 'vitest';
import { type Decidable, DecisionQueue, type DecisionRequest, isFinal } from './decision-queue.ts';

const finding = (id: string, more: Partial<Decidable> = {}): Decidable => ({ id, title: id, ...more });

/** A queue whose decisions wait until they are flushed, and what it sent. */
function queueOf(
  answer: (request: DecisionRequest) => Map<string, string> | Promise<Map<string, string>> = () => new Map(),
) {
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
  await queue.flush();
  expect(onSaved).toHaveBeenCalledOnce();
  expect(sent).toEqual([{ findingIds: ['a', 'b'], decision: 'rejected', reason: 'A quotation.' }]);
  expect(queue.shown(one)).toEqual({ decision: 'rejected', reason: 'A quotation.' });
  // Data that is read again says itself what was decided.
  expect(queue.shown(finding('a'))).toMatchObject({ decision: 'undecided' });
});

test('an undone decision is never sent', async () => {
  const { queue, sent } = queueOf();
  const one = finding('a', { decision: 'accepted' });
  queue.undo(queue.decide([one], 'resolved'));
  await queue.flush();
  expect(sent).toEqual([]);
  expect(queue.shown(one).decision).toBe('accepted');
});

test('undoing a decision that the service has already decides anew', async () => {
  const { queue, sent, onSaved } = queueOf();
  const one = finding('a');
  const batch = queue.decide([one], 'rejected');
  await queue.flush();
  queue.undo(batch);
  await expect.poll(() => onSaved.mock.calls.length).toBe(2);
  expect(sent.map(({ decision }) => decision)).toEqual(['rejected', 'undecided']);
  expect(queue.shown(one)).toEqual({ decision: 'undecided' });
});

test('a refused decision is taken back, and its sentence is said', async () => {
  const { queue, failures } = queueOf(() => new Map([['a', 'Finding not found.']]));
  const [one, other] = [finding('a'), finding('b')];
  queue.decide([one, other], 'accepted');
  await queue.flush();
  expect(failures).toEqual(['“a” was not decided: Finding not found.']);
  expect([queue.shown(one).decision, queue.shown(other).decision]).toEqual(['undecided', 'accepted']);
});

test('many findings are decided in parts of 100', async () => {
  const { queue, sent, onSaved } = queueOf();
  queue.decide(
    Array.from({ length: 250 }, (_, at) => finding(`f${at}`)),
    'accepted',
  );
  await queue.flush();
  expect(onSaved).toHaveBeenCalledOnce();
  expect(sent.map(({ findingIds }) => findingIds.length)).toEqual([100, 100, 50]);
});

test('a page that goes sends all parts without waiting for an answer', () => {
  const { queue, sent } = queueOf(() => new Promise(() => {}));
  queue.decide(
    Array.from({ length: 250 }, (_, at) => finding(`f${at}`)),
    'accepted',
  );
  void queue.flush(true);
  expect(sent).toHaveLength(3);
});

test('of two decisions on a finding only the last is sent, and undoing it brings back the first', async () => {
  const { queue, sent } = queueOf();
  const [one, other] = [finding('a', { annotationId: 'ann_1' }), finding('b')];
  queue.decide([one, other], 'accepted');
  const second = queue.decide([one], 'rejected', 'A quotation.');
  queue.undo(second);
  expect(queue.shown(one).decision).toBe('accepted');
  queue.decide([one], 'rejected', 'A quotation.');
  await queue.flush();
  expect(sent).toEqual([
    { findingIds: ['b'], decision: 'accepted' },
    { findingIds: ['a'], decision: 'rejected', reason: 'A quotation.' },
  ]);
});

test('a decision that is undone while it is being sent is taken back after the answer', async () => {
  const { promise, resolve } = Promise.withResolvers<Map<string, string>>();
  const { queue, sent, onSaved } = queueOf(({ decision }) => (decision === 'accepted' ? promise : new Map()));
  const batch = queue.decide([finding('a')], 'accepted');
  const flushed = queue.flush();
  queue.undo(batch);
  expect(sent.map(({ decision }) => decision)).toEqual(['accepted']);
  resolve(new Map());
  await flushed;
  await expect.poll(() => onSaved.mock.calls.length).toBe(2);
  expect(sent.map(({ decision }) => decision)).toEqual(['accepted', 'undecided']);
});

test('only a final decision holds for all findings of a suggestion', async () => {
  const { queue } = queueOf();
  queue.decide([finding('a', { annotationId: 'ann_1' })], 'resolved');
  await queue.flush();
  // What others decide later is read again, and counts.
  expect(queue.shown(finding('a', { annotationId: 'ann_1' })).decision).toBe('undecided');
});

test('a decision holds for all findings for which the suggestion stands', async () => {
  const { queue } = queueOf();
  const one = finding('a', { annotationId: 'ann_1' });
  queue.decide([one], 'accepted');
  await queue.flush();
  const other = finding('b', { annotationId: 'ann_1' });
  expect(queue.shown(other).decision).toBe('accepted');
  expect(isFinal(other, queue.shown(other))).toBe(true);
  expect(isFinal(finding('c'), { decision: 'accepted' })).toBe(false);
});

test('a decision that an assistant made on a suggestion is not final for a person', () => {
  const { queue } = queueOf();
  const decidedBy = { userId: 'eve', name: 'Eve' };
  const of = (by: Decidable['decidedBy']) =>
    finding('a', { annotationId: 'one', decision: 'rejected', decidedBy: by });
  const [byPerson, byAssistant] = [of(decidedBy), of({ ...decidedBy, assistant: 'Claude Code' })];
  expect(isFinal(byPerson, queue.shown(byPerson))).toBe(true);
  expect(queue.shown(byAssistant)).toMatchObject({ decidedBy: 'Eve', assistant: 'Claude Code' });
  expect(isFinal(byAssistant, queue.shown(byAssistant))).toBe(false);
});
