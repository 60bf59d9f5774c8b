import { expect, test } from 'vitest';
import { judgmentOfComment, judgmentOfDecision } from './build-judgment.ts';

const annotation = {
  organizationId: 'acme',
  documentId: 'website',
  annotationId: 'headline',
  body: {
    suggestion: { summary: 'Say it shorter.', newValue: 'Per year' },
    targetElement: { targetText: 'per month' },
  },
};
const ada = { userId: 'ada', name: 'Ada' };
const commentOf = (body: Record<string, unknown>) => ({ commentId: 7, from: ada, body, createdAt: 1_000 });

test('the first comment of a thread is a neutral judgment of the annotation', () => {
  expect(judgmentOfComment(annotation, commentOf({ commentText: 'Agreed.' }), undefined)).toMatchObject({
    organizationId: 'acme',
    documentId: 'website',
    annotationId: 'headline',
    commentId: 7,
    origin: 'comment',
    decision: 'comment',
    reasoning: 'Agreed.',
    content: 'Say it shorter.\nPer year\nper month',
    contentType: 'text',
    confidence: null,
    judgeType: 'human',
    reviewerId: 'ada',
    actionUser: ada,
    agent: null,
    createdAt: 1_000,
  });
});

test('a reply decides by its text, and answers the first comment', () => {
  const reply = judgmentOfComment(annotation, commentOf({ commentText: 'I disagree.' }), 'Too long.');
  expect(reply).toMatchObject({
    decision: 'disagree',
    content: 'Too long.\nSay it shorter.\nPer year\nper month',
  });
});

test('a comment without text produces no judgment', () => {
  expect(judgmentOfComment(annotation, commentOf({ commentText: '  ' }), undefined)).toBeUndefined();
  expect(judgmentOfComment(annotation, commentOf({ commentHtml: '<p><br></p>' }), 'Hm.')).toBeUndefined();
});

test('markup is not part of the text', () => {
  const comment = commentOf({ commentHtml: '<p>Too <b>long</b></p>' });
  expect(judgmentOfComment(annotation, comment, undefined)?.reasoning).toBe('Too long');
});

test('a comment of an agent is a finding, with the confidence of its reason as a fraction', () => {
  const agent = {
    agentId: 'spell-check',
    agentName: 'Spell check',
    executionId: 'exe_1',
    reason: {
      title: 'Typo',
      description: 'One letter.',
      severity: 'low',
      issueType: 'spelling',
      confidence: 80,
    },
  };
  const finding = judgmentOfComment(annotation, commentOf({ agent }), 'Too long.', { injected: true });
  expect(finding).toMatchObject({
    origin: 'finding',
    decision: 'comment',
    reasoning: 'Typo\nOne letter.',
    contentType: 'spelling',
    confidence: 0.8,
    judgeType: 'agent',
  });
  expect(finding!.agent).toEqual({
    agentId: 'spell-check',
    agentName: 'Spell check',
    executionId: 'exe_1',
    severity: 'low',
    issueType: 'spelling',
    injected: true,
  });
});

test('a judgment keeps the mentioned users and the text of each mention', () => {
  const taggedUserContacts = [{ userId: 'eve', text: '@Eve', contact: { name: 'Eve' } }];
  const comment = commentOf({ commentText: 'Look, {{eve}}.', taggedUserContacts });
  expect(judgmentOfComment(annotation, comment, undefined)?.mentions).toEqual([
    { userId: 'eve', text: '@Eve' },
  ]);
});

const rejection = { origin: 'suggestion' as const, decision: 'reject' as const, by: ada, at: 2_000 };
const rejected = (rejectReason?: string) => ({
  ...annotation,
  body: { ...annotation.body, suggestion: { ...annotation.body.suggestion, rejectReason } },
});

test('the reason for a rejection is its reasoning, ahead of any comment', () => {
  const latestComment = { commentId: 9, reasoning: 'I like it as it is.' };
  const judgment = judgmentOfDecision(rejected(' It is monthly. '), rejection, {
    opening: 'Hm.',
    latestComment,
  });
  expect(judgment).toMatchObject({ reasoning: 'It is monthly.', commentId: null, decision: 'reject' });
});

test('without a reason, the latest comment of the deciding user is quoted', () => {
  const latestComment = { commentId: 9, reasoning: 'I like it as it is.' };
  const judgment = judgmentOfDecision(rejected(), rejection, { opening: 'Hm.', latestComment });
  expect(judgment).toMatchObject({
    reasoning: 'I like it as it is.',
    commentId: 9,
    reviewerId: 'ada',
    createdAt: 2_000,
  });
});

test('without any text, a sentence describes the decision', () => {
  const silent = { opening: 'Too long.', latestComment: undefined };
  expect(judgmentOfDecision(rejected(), rejection, silent).reasoning).toBe(
    'Rejected the suggestion: Say it shorter.',
  );
  const resolved = { ...annotation, body: { status: { name: 'Resolved' } } };
  const decided = { ...rejection, origin: 'status' as const, decision: 'resolve' as const };
  expect(judgmentOfDecision(resolved, decided, silent).reasoning).toBe(
    'Set the status to Resolved: Too long.',
  );
});

test('a reason counts only for rejections', () => {
  const approval = { ...rejection, decision: 'approve' as const };
  const silent = { opening: undefined, latestComment: undefined };
  expect(judgmentOfDecision(rejected('It is monthly.'), approval, silent).reasoning).toBe(
    'Accepted the suggestion: Say it shorter.',
  );
});

test('a decision that replaces an earlier one keeps its id', () => {
  const silent = { opening: undefined, latestComment: undefined };
  expect(judgmentOfDecision(annotation, rejection, silent, 'jdg_1').judgmentId).toBe('jdg_1');
});
