import type { Finding, FindingRecord, ReviewFinding } from '@redpen/client';
import { expect, test } from 'vitest';
import { type DecisionStep, Decisions, type Refusals } from './decisions.ts';
import { groupFindings, isOpen, type ListedFinding, matches, shortAddress } from './listed-finding.ts';

const finding = (id: string, more: Partial<ListedFinding> = {}): ListedFinding => ({
  id,
  title: `Title of ${id}`,
  severity: 'low',
  issueType: 'broken-link',
  pageUrl: 'https://example.com/a',
  ...more,
});

test('findings of lists, runs and reviews can be listed as they are', () => {
  const listed = (_: readonly ListedFinding[]) => true;
  expect([listed([] as Finding[]), listed([] as FindingRecord[]), listed([] as ReviewFinding[])]).toEqual([
    true,
    true,
    true,
  ]);
});

test('the group with the gravest finding comes first, and its title is that of the rule', () => {
  const groups = groupFindings(
    [
      finding('a'),
      finding('b', { issueType: 'spelling', severity: 'high' }),
      finding('c', { severity: 'medium' }),
      finding('d', { issueType: 'missing-alt', severity: 'medium' }),
    ],
    'rule',
    { spelling: { title: 'Misspelled words' } },
  );
  expect(
    groups.map(({ title, severity, findings }) => [title, severity, findings.map(({ id }) => id)]),
  ).toEqual([
    ['Misspelled words', 'high', ['b']],
    ['Broken link', 'medium', ['c', 'a']],
    ['Missing alt', 'medium', ['d']],
  ]);
});

test('findings can be grouped by page, agent, severity and not at all', () => {
  const all = [
    finding('a', { agentName: 'Links' }),
    finding('b', { sourceUrl: 'https://example.com/', pageUrl: undefined }),
  ];
  const titles = (by: Parameters<typeof groupFindings>[1]) =>
    groupFindings(all, by).map(({ title }) => title);
  expect(titles('page').sort()).toEqual(['/a', 'example.com']);
  expect(titles('agent').sort()).toEqual(['', 'Links']);
  expect(titles('severity')).toEqual(['low']);
  expect(titles('none')).toEqual(['']);
});

test('a filter looks at severity, decision and words', () => {
  const filter = { severities: new Set<ListedFinding['severity']>(), show: 'open', text: '' } as const;
  const one = finding('a', { targetText: 'teh', suggestion: 'the' });
  expect(matches(one, filter, undefined)).toBe(true);
  expect(matches(one, { ...filter, severities: new Set(['high']) }, undefined)).toBe(false);
  expect(matches(one, { ...filter, text: 'TEH example' }, undefined)).toBe(true);
  expect(matches(one, { ...filter, text: 'teh missing' }, undefined)).toBe(false);
  expect(matches(one, filter, 'rejected')).toBe(false);
  expect(matches(one, { ...filter, show: 'decided' }, 'rejected')).toBe(true);
  expect(isOpen(finding('b', { ignored: 'baseline' }), undefined)).toBe(false);
  expect(isOpen(finding('b', { ignored: 'decision' }), 'undecided')).toBe(true);
});

test('an address that is none stays as it is', () => {
  expect([shortAddress('https://a.b/'), shortAddress('https://a.b/c?d=1'), shortAddress('c')]).toEqual([
    'a.b',
    '/c?d=1',
    'c',
  ]);
});

/** Decisions with a list of what was sent. */
function stage(answer: Refusals | Error = new Map()) {
  const sent: [step: DecisionStep, isLeaving: boolean][] = [];
  const changes = { count: 0 };
  const send = async (step: DecisionStep, isLeaving: boolean) => {
    sent.push([step, isLeaving]);
    if (answer instanceof Error) throw answer;
    return answer;
  };
  const onChange = () => void changes.count++;
  return { sent, changes, decisions: new Decisions(send, onChange, 3_600_000) };
}

const accept = (...ids: string[]): DecisionStep => ({ ids, decision: 'accepted', reason: undefined });
const reject = (...ids: string[]): DecisionStep => ({ ids, decision: 'rejected', reason: 'No' });

test('a decision is shown at once and sent when it can no longer be undone', async () => {
  const { sent, decisions } = stage();
  decisions.decide(accept('a'));
  expect(decisions.of('a')?.decision).toBe('accepted');
  expect(sent).toEqual([]);
  decisions.flush();
  expect(sent).toEqual([[accept('a'), false]]);
  expect(decisions.undoable).toBeUndefined();
  expect(decisions.undo()).toBeUndefined();
});

test('an undone decision is never sent, and the one before it is shown again', () => {
  const { sent, decisions } = stage();
  decisions.decide(accept('a'));
  decisions.decide(reject('a', 'b'));
  expect(sent).toEqual([[accept('a'), false]]);
  expect(decisions.undo()).toEqual(reject('a', 'b'));
  expect([decisions.of('a')?.decision, decisions.of('b')]).toEqual(['accepted', undefined]);
  decisions.flush();
  expect(sent).toHaveLength(1);
});

test('what waits is sent by itself', async () => {
  const sent: DecisionStep[] = [];
  const arrived = Promise.withResolvers<void>();
  const decisions = new Decisions(
    async (step) => {
      sent.push(step);
      arrived.resolve();
      return new Map();
    },
    () => {},
    1,
  );
  decisions.decide(accept('a'));
  await arrived.promise;
  expect(sent).toEqual([accept('a')]);
});

test('leaving the page sends what waits', () => {
  const { sent, decisions } = stage();
  decisions.decide(accept('a'));
  decisions.flush(true);
  expect(sent).toEqual([[accept('a'), true]]);
});

test('a refused decision is taken back, the others of the step stay', async () => {
  const { decisions, changes } = stage(new Map([['a', 'It is final.']]));
  decisions.decide(accept('a', 'b'));
  decisions.flush();
  await expect.poll(() => decisions.problem).toBe('It is final.');
  expect([decisions.of('a'), decisions.of('b')?.decision]).toEqual([undefined, 'accepted']);
  expect(changes.count).toBe(3);
});

test('a failed request takes the whole step back', async () => {
  const { decisions } = stage(new Error('There is no connection.'));
  decisions.decide(accept('a', 'b'));
  decisions.flush();
  await expect.poll(() => decisions.problem).toBe('There is no connection.');
  expect([decisions.of('a'), decisions.of('b')]).toEqual([undefined, undefined]);
});

test('new data end what is shown in their place only if they say the same', () => {
  const { decisions } = stage();
  decisions.decide(accept('a', 'b'));
  decisions.flush();
  decisions.settle(
    new Map([
      ['a', 'accepted'],
      ['b', 'undecided'],
    ]),
  );
  expect([decisions.of('a'), decisions.of('b')?.decision]).toEqual([undefined, 'accepted']);
});
