import { expect, test } from 'vitest';
import { through } from '../../../test/people/assistant.ts';
import { newUserToken } from '../../../test/people/user-token.ts';
import { newWorkspace, type TestWorkspace, testApp } from '../../../test/service/harness.ts';
import { backfillJudgments } from '../../store/memory/backfill-judgments.ts';

const place = { organizationId: 'acme', documentId: 'home' };
const eve = { userId: 'eve', name: 'Eve' };
const NOTES = '/v2/commentannotations';
const mark = { name: 'Claude Code' };

/** A suggestion on a document, of a person. */
async function setUp(...annotationIds: string[]): Promise<TestWorkspace> {
  const w = await newWorkspace();
  await w.must(`${NOTES}/add`, {
    ...place,
    createDocument: true,
    commentAnnotations: annotationIds.map((annotationId) => ({
      annotationId,
      type: 'suggestion',
      suggestion: { newValue: 'Per year' },
      commentData: [{ commentText: `What of ${annotationId}?`, from: { userId: 'ana' } }],
    })),
  });
  return w;
}

// biome-ignore lint/suspicious/noExplicitAny: a record of the API.
type Any = any;

const get = async (w: TestWorkspace, annotationId: string): Promise<Any> =>
  (await w.must(`${NOTES}/get`, { ...place, annotationIds: [annotationId] }))[0];

/** The judgments of an annotation, oldest first, without the opening comment. */
async function judgmentsOn(w: TestWorkspace, annotationId: string): Promise<Any[]> {
  const { body } = await w.post('/v2/memory/judgments/query', { ...place, annotationId });
  return body.result.results.slice(1);
}

const decide = (caller: Pick<TestWorkspace, 'must'>, annotationId: string, status: string, more = {}) =>
  caller.must(`${NOTES}/update`, {
    ...place,
    annotationIds: [annotationId],
    updatedData: { suggestion: { newValue: 'Per year', status, resolvedBy: eve, ...more } },
  });
const setStatus = (caller: Pick<TestWorkspace, 'must'>, annotationId: string, id: string) =>
  caller.must(`${NOTES}/update`, {
    ...place,
    annotationIds: [annotationId],
    updatedData: { status: { id }, statusUpdatedByUserId: 'eve' },
  });

const byAssistant = { judgeType: 'agent', agent: { agentName: 'Claude Code', isAssistant: true } };
const byPerson = { judgeType: 'human', agent: null };

test('comments through an assistant are marked, and are no judgments of people', async () => {
  const w = await setUp('a');
  const comment = { commentText: 'I disagree.', from: eve, assistant: { name: 'Somebody' } };
  await w.must(`${NOTES}/comments/add`, { ...place, annotationId: 'a', commentData: [comment] });
  const add = (commentData: object[]) =>
    through(w).must(`${NOTES}/comments/add`, { ...place, annotationId: 'a', commentData });
  await add([comment]);
  const at = Date.now() + 60_000;
  await add([
    { ...comment, createdAt: at },
    { ...comment, commentText: 'Agreed.', createdAt: at + 1 },
  ]);
  await through(w).must(`${NOTES}/add`, {
    ...place,
    commentAnnotations: [{ annotationId: 'b', commentData: [comment] }],
  });
  const { comments } = await get(w, 'a');
  expect(comments.map(({ assistant }: Any) => assistant)).toEqual([undefined, undefined, mark, mark, mark]);
  expect((await get(w, 'b')).comments).toMatchObject([{ from: eve, assistant: mark }]);
  expect(await judgmentsOn(w, 'a')).toMatchObject([
    { ...byPerson, decision: 'disagree', origin: 'comment' },
    { ...byAssistant, decision: 'disagree', origin: 'comment', actionUser: eve },
    { ...byAssistant, decision: 'disagree' },
    { ...byAssistant, decision: 'agree' },
  ]);
  const { body } = await w.post('/v2/memory/judgments/query', { ...place, judgeType: 'human' });
  expect(body.result.results).toHaveLength(2);
});

test('a comment of a person that an assistant edits is no longer a judgment of the person', async () => {
  const w = await setUp('a');
  const own = { commentId: 7, commentText: 'It is fine.', from: eve };
  await w.must(`${NOTES}/comments/add`, { ...place, annotationId: 'a', commentData: [own] });
  await decide(w, 'a', 'accepted');
  expect((await judgmentsOn(w, 'a'))[1]).toMatchObject({ ...byPerson, reasoning: 'It is fine.' });
  await through(w).must(`${NOTES}/comments/update`, {
    ...place,
    annotationId: 'a',
    commentIds: [7],
    updatedData: { commentText: 'It is awful.', from: eve },
  });
  expect((await get(w, 'a')).comments[1]).toMatchObject({ commentText: 'It is awful.', assistant: mark });
  expect(await judgmentsOn(w, 'a')).toMatchObject([
    { ...byAssistant, reasoning: 'It is awful.' },
    { ...byPerson, reasoning: 'Accepted the suggestion: Per year' },
  ]);
});

test('decisions through an assistant are marked, until a person decides', async () => {
  const w = await setUp('a', 'b');
  const assistant = through(w);
  await decide(assistant, 'a', 'rejected', { rejectReason: 'Too short.' });
  await setStatus(assistant, 'a', 'RESOLVED');
  expect(await get(w, 'a')).toMatchObject({
    suggestion: { status: 'rejected', resolvedBy: eve, rejectReason: 'Too short.' },
    decidedByAssistant: { suggestion: 'Claude Code', status: 'Claude Code' },
  });
  expect(await judgmentsOn(w, 'a')).toMatchObject([
    { ...byAssistant, origin: 'suggestion', decision: 'reject', reasoning: 'Too short.', actionUser: eve },
    { ...byAssistant, origin: 'status', decision: 'resolve' },
  ]);

  // The mark is not the caller's to set or to remove.
  await w.must(`${NOTES}/update`, {
    ...place,
    annotationIds: ['a', 'b'],
    updatedData: { priority: { id: 'P1', name: 'High' }, decidedByAssistant: null },
  });
  expect((await get(w, 'a')).decidedByAssistant).toEqual({
    suggestion: 'Claude Code',
    status: 'Claude Code',
  });
  await w.must(`${NOTES}/update`, {
    ...place,
    annotationIds: ['b'],
    updatedData: { decidedByAssistant: { status: 'Somebody' } },
  });
  expect(await get(w, 'b')).not.toHaveProperty('decidedByAssistant');

  await setStatus(w, 'a', 'OPEN');
  await decide(w, 'a', 'accepted');
  const decided = await get(w, 'a');
  expect(decided.suggestion).toMatchObject({ status: 'accepted', newValue: 'Per year' });
  expect(decided.suggestion).not.toHaveProperty('rejectReason');
  expect(decided).not.toHaveProperty('decidedByAssistant');
  expect((await judgmentsOn(w, 'a')).slice(2)).toMatchObject([
    { ...byPerson, origin: 'status', decision: 'in_progress' },
    { ...byPerson, origin: 'suggestion', decision: 'approve' },
  ]);

  // The decision of a person is final.
  expect(await decide(assistant, 'a', 'rejected')).toMatchObject({
    a: { success: false, message: 'Suggestion is already accepted.' },
  });
});

test('a user who confirms the decision of an assistant takes its place', async () => {
  const w = await setUp('a');
  const resources = [{ type: 'document', id: 'home', organizationId: 'acme', accessRole: 'editor' }];
  const user = await newUserToken(w, { userId: 'eve', name: 'Eve', resources });
  const change = (status: string) => ({
    ...place,
    annotationIds: ['a'],
    updatedData: { suggestion: { status } },
  });
  await through(user).must(`${NOTES}/update`, change('accepted'));
  expect(await get(w, 'a')).toMatchObject({
    suggestion: { status: 'accepted', newValue: 'Per year' },
    decidedByAssistant: { suggestion: 'Claude Code' },
  });
  expect((await user.post(`${NOTES}/update`, change('accepted'))).status).toBe(200);
  const confirmed = await get(w, 'a');
  expect(confirmed.suggestion).toMatchObject({ status: 'accepted', newValue: 'Per year' });
  expect(confirmed).not.toHaveProperty('decidedByAssistant');
  expect(await judgmentsOn(w, 'a')).toMatchObject([
    { ...byAssistant, decision: 'approve', actionUser: { userId: 'eve' } },
    { ...byPerson, decision: 'approve', actionUser: { userId: 'eve' } },
  ]);
});

test.each([['in one statement', ['a']] as const, ['in a transaction', ['a', 'b']] as const])(
  'an assistant neither replaces a judgment of its person nor lends its words, %s',
  async (_, annotationIds) => {
    const w = await setUp('a', 'b');
    const assistant = through(w);
    const status = (caller: Pick<TestWorkspace, 'must'>, id: string) =>
      caller.must(`${NOTES}/update`, {
        ...place,
        annotationIds,
        updatedData: { status: { id }, statusUpdatedByUserId: 'eve' },
      });
    await status(w, 'RESOLVED');
    await status(w, 'OPEN');
    const comment = { commentText: 'These are my words.', from: eve };
    await assistant.must(`${NOTES}/comments/add`, { ...place, annotationId: 'a', commentData: [comment] });
    await status(assistant, 'RESOLVED');
    await status(assistant, 'OPEN');
    await status(assistant, 'RESOLVED');
    const before = await judgmentsOn(w, 'a');
    expect(before).toMatchObject([
      { ...byPerson, decision: 'resolve', reasoning: 'Set the status to Resolved: Per year' },
      { ...byPerson, decision: 'in_progress' },
      { ...byAssistant, origin: 'comment' },
      { ...byAssistant, decision: 'in_progress' },
      { ...byAssistant, decision: 'resolve', reasoning: 'These are my words.' },
    ]);
    await status(w, 'IN_PROGRESS');
    const after = (await judgmentsOn(w, 'a')).filter(({ judgeType }) => judgeType === 'human');
    expect(after).toMatchObject([
      { recordId: before[0].recordId },
      { recordId: before[1].recordId, reasoning: 'Set the status to In Progress: Per year' },
    ]);
  },
);

test('the backfill tells judgments of assistants from those of people', async () => {
  const w = await setUp('a', 'b');
  const assistant = through(w);
  const comment = { commentText: 'I disagree.', from: eve };
  for (const [caller, annotationId] of [[w, 'a'] as const, [assistant, 'b'] as const]) {
    await caller.must(`${NOTES}/comments/add`, { ...place, annotationId, commentData: [comment] });
    await decide(caller, annotationId, 'rejected');
    await setStatus(caller, annotationId, 'RESOLVED');
  }
  const { deps } = await testApp();
  const shown = async (annotationId: string) =>
    (await judgmentsOn(w, annotationId))
      .map(({ judgeType, agent, origin, decision, reasoning }) => [
        ...[judgeType, agent, origin, decision, reasoning],
      ])
      .sort();
  const before = [await shown('a'), await shown('b')];
  await deps.db.deleteFrom('judgments').where('apiKeyId', '=', w.apiKeyId).execute();
  await deps.db.transaction().execute((tx) => backfillJudgments(tx, w, undefined, 100));
  expect([await shown('a'), await shown('b')]).toEqual(before);
  expect(before[1]).toHaveLength(3);
  expect(before[1]!.every(([judgeType]) => judgeType === 'agent')).toBe(true);
});

test('a thread that an assistant adds as resolved is resolved by the assistant, also for a backfill', async () => {
  const w = await setUp('a');
  const { deps } = await testApp();
  await through(w).must(`${NOTES}/add`, {
    ...place,
    commentAnnotations: [
      { annotationId: 'b', status: { id: 'RESOLVED' }, commentData: [{ commentText: 'Done.', from: eve }] },
    ],
  });
  expect((await get(w, 'b')).decidedByAssistant).toEqual({ status: 'Claude Code' });
  expect((await get(w, 'a')).decidedByAssistant).toBeUndefined();
  await deps.db.transaction().execute((tx) => backfillJudgments(tx, w, undefined, 100));
  expect((await judgmentsOn(w, 'b')).length).toBeGreaterThan(0);
  for (const judgment of await judgmentsOn(w, 'b')) expect(judgment).toMatchObject({ judgeType: 'agent' });
});
