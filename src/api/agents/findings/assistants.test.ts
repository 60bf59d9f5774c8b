import { expect, test } from 'vitest';
import { through } from '../../../../test/people/assistant.ts';
import { newUserToken } from '../../../../test/people/user-token.ts';
import { links, onDocument, siteOf, work, workspaceWithDocument } from '../../../../test/reviews/runs.ts';
import { newWorkspace, send, type TestWorkspace, testApp } from '../../../../test/service/harness.ts';

// biome-ignore lint/suspicious/noExplicitAny: answers of several operations.
type Any = any;

const eve = { userId: 'eve', name: 'Eve' };
const mark = { ...eve, assistant: 'Claude Code' };
const ALL = { decision: ['undecided', 'accepted', 'rejected', 'resolved'] };

/** A page with dead links, their findings in order, and a function that reviews it again. */
async function reviewed(w: TestWorkspace, names: readonly string[], request: object = {}) {
  const site = await siteOf({ '/': names.map((name) => `<p><a href="/${name}">${name}</a></p>`).join('\n') });
  const { agentId } = await w.must('/v2/agents/create', { name: 'Links', ...links });
  const run = async (): Promise<Any> => {
    const { executionId } = await w.must('/v2/agents/execution/run', { agentId, url: site.url, ...request });
    return await work(w, executionId);
  };
  await run();
  return { run, findings: await list(w) };
}

const list = async (w: TestWorkspace): Promise<Any[]> => {
  const { findings } = await w.must('/v2/agents/findings/list', ALL);
  return findings.sort((a: Any, b: Any) => a.url.localeCompare(b.url));
};

const decide = (caller: Pick<TestWorkspace, 'must'>, findingIds: string[], decision: string, more = {}) =>
  caller.must('/v2/agents/findings/decide', { findingIds, decision, actionUser: eve, ...more });

const humanJudgments = async (w: TestWorkspace): Promise<Any[]> =>
  (await w.post('/v2/memory/judgments/query', { judgeType: 'human' })).body.result.results;

test('a finding without a suggestion names the assistant that decided, until a person decides', async () => {
  const w = await newWorkspace();
  const { run, findings } = await reviewed(w, ['one']);
  const [{ id }] = findings;
  await decide(through(w), [id], 'rejected', { reason: 'A sample.' });
  expect(await list(w)).toMatchObject([{ decision: 'rejected', decidedBy: mark, reason: 'A sample.' }]);
  const { results } = await run();
  expect(results[0].findings).toMatchObject([{ decision: 'rejected', decidedBy: mark }]);
  await decide(w, [id], 'rejected');
  expect((await list(w))[0].decidedBy).toEqual(eve);
});

test('a finding with a suggestion names the assistant that decided, until a person decides', async () => {
  const w = await workspaceWithDocument();
  const { run, findings } = await reviewed(w, ['four', 'one', 'three', 'two'], onDocument);
  const [four, one, three, two] = findings.map(({ id }) => id as string) as [string, string, string, string];
  const assistant = through(w);
  await decide(assistant, [one, four], 'rejected', { reason: 'A sample.' });
  await decide(assistant, [two], 'resolved');
  await decide(assistant, [three], 'accepted');
  expect(await list(w)).toMatchObject([
    { id: four, decision: 'rejected', decidedBy: mark },
    { id: one, decision: 'rejected', decidedBy: mark, reason: 'A sample.' },
    { id: three, decision: 'accepted', decidedBy: mark },
    { id: two, decision: 'resolved', decidedBy: mark },
  ]);
  expect(await humanJudgments(w)).toEqual([]);
  const { results } = await run();
  expect(results[0].findings.map(({ decidedBy }: Any) => decidedBy)).toEqual([mark, mark, mark, mark]);
  // An assistant cannot decide anew on a suggestion.
  expect(await decide(assistant, [one], 'undecided')).toMatchObject({
    [one]: { success: false, message: 'Suggestion is already rejected.' },
  });

  await decide(w, [one], 'undecided');
  await decide(w, [four], 'accepted');
  await decide(w, [two], 'resolved');
  await decide(w, [three], 'accepted');
  const after = await list(w);
  expect(after).toMatchObject([
    { id: four, decision: 'accepted', decidedBy: eve },
    { id: one, annotationId: expect.any(String) },
    { id: three, decision: 'accepted', decidedBy: eve },
    { id: two, decision: 'resolved', decidedBy: eve },
  ]);
  expect(after[0]).not.toHaveProperty('reason', 'A sample.');
  expect(after[1]).not.toHaveProperty('decision');
  expect(after.map(({ decidedBy }) => decidedBy?.assistant)).toEqual(Array(4).fill(undefined));
  expect((await humanJudgments(w)).map(({ decision }) => decision).sort()).toEqual([
    ...['approve', 'approve', 'resolve'],
  ]);
  // Now these are decisions of a person, and final.
  expect(await decide(w, [four], 'rejected')).toMatchObject({
    [four]: { success: false, message: 'Suggestion is already accepted.' },
  });
});

test('an assistant decides on 20 findings in a minute, which limits no other caller', async () => {
  const w = await newWorkspace();
  const { findings } = await reviewed(w, ['one', 'two']);
  const known = findings.map(({ id }) => id as string);
  const ids = (many: number) => [...known, ...Array.from({ length: many - 2 }, (_, at) => `fnd_${at}`)];
  const assistant = through(w);
  const { deps } = await testApp();
  /** Begins the minute of the caller's last decisions now, however long the test has taken so far. */
  const holdMinute = () =>
    deps.db
      .updateTable('rateCounters')
      .set({ windowStart: Date.now() })
      .where('bucket', 'like', `assistant-decisions %${w.apiKeyId}%`)
      .execute();
  const send = async (findingIds: string[], decision = 'rejected') => {
    await holdMinute();
    return await assistant.post('/v2/agents/findings/decide', { findingIds, decision });
  };

  const tooMany = await send(ids(21));
  expect(tooMany).toMatchObject({ status: 400, body: { error: { status: 'INVALID_ARGUMENT' } } });
  expect(tooMany.body.error.message).toBe(
    'An assistant may decide on 20 findings in a minute, and this request decides on 21: send fewer, or ask the person to decide.',
  );
  expect((await send([...ids(17), ...known])).status).toBe(200);
  const over = await send(ids(4), 'accepted');
  expect(over).toMatchObject({ status: 429, body: { error: { status: 'RESOURCE_EXHAUSTED' } } });
  expect(over.body.error.message).toMatch(
    /^An assistant may decide on 20 findings in a minute: ask the person to decide on the rest, or go on in \d+ seconds\. 3 of them are left\.$/,
  );
  expect(Number(over.headers['retry-after'])).toBeGreaterThan(0);
  expect(Number(over.headers['retry-after'])).toBeLessThanOrEqual(60);
  // Nothing of the refused request is written, and it takes nothing of what is left.
  expect((await list(w)).map(({ decision }) => decision)).toEqual(['rejected', 'rejected']);
  expect((await send(ids(3))).status).toBe(200);
  expect((await send(known.slice(1))).status).toBe(429);

  // Annotations count with findings, but changes that decide nothing do not count.
  const place = { organizationId: 'acme', documentId: 'home' };
  await w.must('/v2/commentannotations/add', {
    ...place,
    createDocument: true,
    commentAnnotations: [{ annotationId: 'a', commentData: [{ commentText: 'Hm.', from: eve }] }],
  });
  const update = async (updatedData: object, selection: object = { annotationIds: ['a'] }) => {
    await holdMinute();
    return await assistant.post('/v2/commentannotations/update', { ...place, ...selection, updatedData });
  };
  expect((await update({ status: { id: 'RESOLVED' } })).status).toBe(429);
  expect((await update({ suggestion: { status: 'accepted' } })).status).toBe(429);
  expect((await update({ priority: { id: 'P1', name: 'High' } }, {})).status).toBe(200);
  const unnamed = await update({ status: { id: 'RESOLVED' } }, { userIds: ['eve'] });
  expect(unnamed.body.error.message).toBe(
    'An assistant names the annotations on which it decides: annotationIds is required.',
  );

  const resources = [{ type: 'organization', id: 'acme', accessRole: 'editor' }];
  const user = await newUserToken(w, { resources });
  const change = { ...place, annotationIds: ['a'], updatedData: { status: { id: 'RESOLVED' } } };
  expect((await through(user).post('/v2/commentannotations/update', change)).status).toBe(200);
  expect(Object.keys(await decide(w, ids(50), 'accepted'))).toHaveLength(50);
  const other = through(await newWorkspace());
  expect(
    (await other.post('/v2/agents/findings/decide', { findingIds: known, decision: 'rejected' })).status,
  ).toBe(200);
});

test('a repeated request does not count again, and gets the answer of the first', async () => {
  const w = await newWorkspace();
  const names = Array.from({ length: 20 }, (_, n) => `gone-${n}`);
  const { findings } = await reviewed(w, names);
  const data = { findingIds: findings.map(({ id }) => id), decision: 'accepted', actionUser: eve };
  const headers = { ...w.keyHeaders, 'x-redpen-assistant': 'Claude Code', 'idempotency-key': 'decide-once' };
  const [first, second] = [
    await send('/v2/agents/findings/decide', { data }, headers),
    await send('/v2/agents/findings/decide', { data }, headers),
  ];
  expect([first.status, second.status]).toEqual([200, 200]);
  expect(second.body).toEqual(first.body);
  const more = { ...data, findingIds: [findings[0].id] };
  const third = await send(
    '/v2/agents/findings/decide',
    { data: more },
    { ...headers, 'idempotency-key': 'x' },
  );
  expect(third.status).toBe(429);
});
