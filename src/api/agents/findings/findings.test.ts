import { expect, test } from 'vitest';
import { newUserToken } from '../../../../test/people/user-token.ts';
import { links, onDocument, siteOf, work, workspaceWithDocument } from '../../../../test/reviews/runs.ts';
import { newWorkspace, type TestWorkspace, testApp } from '../../../../test/service/harness.ts';
import { runMigration } from '../../../store/documents/document-migrations.ts';

// biome-ignore lint/suspicious/noExplicitAny: answers of several operations.
type Any = any;

const anchors = (...names: string[]) =>
  names.map((name) => `<p><a href="/${name}">${name}</a></p>`).join('\n');

/** A page that can change, and an agent that reviews it repeatedly. */
async function startAgent(w: TestWorkspace, html: string, agent: object = {}) {
  const pages = { '/': html };
  const site = await siteOf(pages);
  const { agentId } = await w.must('/v2/agents/create', { name: 'Links', ...links, ...agent });
  return {
    agentId,
    url: site.url,
    show: (next: string) => {
      pages['/'] = next;
    },
    run: async (request: object = {}): Promise<Any> => {
      const { executionId } = await w.must('/v2/agents/execution/run', {
        agentId,
        url: site.url,
        ...request,
      });
      return await work(w, executionId);
    },
  };
}

const list = async (w: TestWorkspace, filter: object = {}): Promise<Any[]> =>
  (await w.must('/v2/agents/findings/list', filter)).findings;
const get = (w: TestWorkspace, findingId: string): Promise<Any> =>
  w.must('/v2/agents/findings/get', { findingId });
const decide = (w: TestWorkspace, findingIds: string[], decision: string, more: object = {}): Promise<Any> =>
  w.must('/v2/agents/findings/decide', { findingIds, decision, ...more });

const nameOf = ({ url }: Any) => new URL(url).pathname;
const byName = (findings: Any[]) => Object.fromEntries(findings.map((one) => [nameOf(one), one]));
const ALL = {
  decision: ['undecided', 'accepted', 'rejected', 'resolved'],
  state: ['new', 'still_there', 'fixed'],
};

test('a finding of several runs is one entry that follows the page', async () => {
  const w = await newWorkspace();
  const { run, show, agentId, url } = await startAgent(w, `<div>${anchors('one', 'two')}</div>`);
  const first = await run();
  const before = byName(await list(w));
  expect(before['/one']).toMatchObject({
    state: 'new',
    seenCount: 1,
    agentId,
    agentName: 'Links',
    pageUrl: `${url}/`,
    executionId: first.execution.id,
  });
  expect(before['/one']).not.toHaveProperty('documentId');
  show(
    `<h1>News</h1><section class="b"><p>See <a class="x" href="/one">the first</a>.</p></section>${anchors('new')}`,
  );
  const second = await run();
  const after = byName(await list(w, ALL));
  expect(Object.keys(after).sort()).toEqual(['/new', '/one', '/two']);
  expect(after['/one']).toMatchObject({
    id: before['/one'].id,
    fingerprint: before['/one'].fingerprint,
    state: 'still_there',
    seenCount: 2,
    firstExecutionId: first.execution.id,
    executionId: second.execution.id,
    firstSeenAt: before['/one'].firstSeenAt,
  });
  expect(after['/two']).toMatchObject({
    state: 'fixed',
    fixedExecutionId: second.execution.id,
    seenCount: 1,
  });
  expect(after['/new']).toMatchObject({ state: 'new' });
  expect((await list(w)).map(nameOf).sort()).toEqual(['/new', '/one']);
  const inRun = byName(second.results[0].findings);
  expect(inRun['/one'].fingerprint).toBe(before['/one'].fingerprint);

  show(anchors('two'));
  await run();
  expect(await list(w)).toMatchObject([{ id: before['/two'].id, state: 'new', seenCount: 2 }]);
  const { history } = await get(w, before['/one'].id);
  expect(history.map(({ executionId }: Any) => executionId)).toEqual([
    second.execution.id,
    first.execution.id,
  ]);
});

test('equal faults of a page have fingerprints of their own', async () => {
  const w = await newWorkspace();
  const { run } = await startAgent(w, `<nav>${anchors('gone')}</nav><footer>${anchors('gone')}</footer>`);
  const { results } = await run();
  const prints = results[0].findings.map(({ fingerprint }: Any) => fingerprint);
  expect(new Set(prints).size).toBe(prints.length);
  const again = (await run()).results[0].findings.map(({ fingerprint }: Any) => fingerprint);
  expect(again.sort()).toEqual(prints.sort());
});

test('a decision on a finding without a document holds for later runs, and the verdict leaves it out', async () => {
  const w = await newWorkspace();
  const { run, show } = await startAgent(w, anchors('one', 'two'));
  expect((await run()).execution.verdict).toBe('findings');
  const { '/one': one, '/two': two } = byName(await list(w));
  expect(
    await decide(w, [one.id, two.id, 'fnd_unknown'], 'rejected', {
      reason: 'It is a sample.',
      actionUser: { userId: 'eve', name: 'Eve' },
    }),
  ).toMatchObject({
    [one.id]: { success: true },
    [two.id]: { success: true },
    fnd_unknown: { success: false, code: 'not-found' },
  });
  const by = { decision: 'rejected', decidedBy: { userId: 'eve', name: 'Eve' }, reason: 'It is a sample.' };
  expect((await get(w, one.id)).finding).toMatchObject({ ...by, decidedAt: expect.any(Number) });
  show(`<h1>More</h1>${anchors('one', 'two')}`);
  const { execution, results } = await run();
  expect(execution).toMatchObject({ verdict: 'clean', resultsSummary: { open: 0, decided: 2, new: 0 } });
  expect(results[0].findings).toMatchObject([by, by]);
  expect(await list(w)).toEqual([]);
  expect(await list(w, { decision: 'rejected' })).toHaveLength(2);

  await decide(w, [one.id], 'undecided');
  expect((await list(w)).map(nameOf)).toEqual(['/one']);
  await decide(w, [one.id], 'accepted');
  expect((await run()).execution).toMatchObject({
    verdict: 'findings',
    resultsSummary: { open: 1, decided: 1 },
  });
});

test('a decision on a finding is a decision on its suggestion, with its events and judgment', async () => {
  const w = await workspaceWithDocument();
  const { run } = await startAgent(w, anchors('one', 'two', 'three'));
  await run(onDocument);
  const found = byName(await list(w, onDocument));
  const [one, two, three] = ['/one', '/two', '/three'].map((name) => found[name]);
  expect(one.annotationId).toEqual(expect.any(String));
  const eve = { actionUser: { userId: 'eve', name: 'Eve' } };
  expect(await decide(w, [one.id], 'rejected', { ...eve, reason: 'A quotation.' })).toEqual({
    [one.id]: {
      success: true,
      id: one.id,
      message: 'Finding decided successfully',
      annotationId: one.annotationId,
    },
  });
  await decide(w, [two.id], 'resolved', eve);
  const annotations: Any[] = await w.must('/v2/commentannotations/get', onDocument);
  const annotation = (id: string) => annotations.find(({ annotationId }) => annotationId === id);
  expect(annotation(one.annotationId)).toMatchObject({
    suggestion: { status: 'rejected', rejectReason: 'A quotation.', resolvedBy: { userId: 'eve' } },
    agent: { reason: { fingerprint: one.fingerprint } },
  });
  expect(annotation(one.annotationId).suggestion.summary).toBe(one.suggestion);
  expect(annotation(two.annotationId)).toMatchObject({
    status: { type: 'terminal' },
    resolvedByUserId: 'eve',
  });
  const judgments = await w.post('/v2/memory/judgments/query', {
    ...onDocument,
    filters: { judgeType: 'human' },
  });
  const decisions = judgments.body.result.results.map(({ decision, reasoning }: Any) => [
    decision,
    reasoning,
  ]);
  expect(decisions).toContainEqual(['reject', 'A quotation.']);
  expect((await get(w, one.id)).finding).toMatchObject({
    decision: 'rejected',
    decidedBy: { userId: 'eve', name: 'Eve' },
    reason: 'A quotation.',
    decidedAt: expect.any(Number),
  });

  // Accepting and rejecting is final; a resolved suggestion can be opened again.
  expect(await decide(w, [one.id, two.id], 'undecided')).toMatchObject({
    [one.id]: { success: false, code: 'failed-precondition', message: 'Suggestion is already rejected.' },
    [two.id]: { success: true },
  });
  expect(await decide(w, [one.id], 'rejected')).toMatchObject({ [one.id]: { success: true } });

  // The other way round, decisions on suggestions show at the findings.
  await w.must('/v2/commentannotations/update', {
    ...onDocument,
    annotationIds: [three.annotationId],
    updatedData: { suggestion: { status: 'accepted' } },
  });
  expect(byName(await list(w, ALL))).toMatchObject({
    '/one': { decision: 'rejected' },
    '/three': { decision: 'accepted' },
  });
  const { execution } = await run(onDocument);
  expect(execution.resultsSummary).toMatchObject({ open: 2, decided: 1 });
  expect(byName(await list(w, { ...onDocument, decision: ['accepted', 'rejected'] }))).toMatchObject({
    '/one': { decision: 'rejected', state: 'still_there' },
    '/three': { decision: 'accepted' },
  });

  await w.must('/v1/commentannotations/delete', { ...onDocument, annotationIds: [one.annotationId] });
  const { finding } = await get(w, one.id);
  expect(finding).not.toHaveProperty('decision');
  expect(finding).not.toHaveProperty('annotationId');
});

test('a finding on a document without a suggestion gets none once it is decided', async () => {
  const w = await workspaceWithDocument();
  const agent = { postProcess: { annotations: { strategy: 'none' } } };
  const { run, agentId } = await startAgent(w, anchors('one', 'two'), agent);
  await run(onDocument);
  const { '/one': one } = byName(await list(w));
  await decide(w, [one.id], 'rejected', { reason: 'Known.' });
  await w.must('/v2/agents/version/update', {
    agentId,
    postProcess: { annotations: { strategy: 'findings' } },
  });
  const { execution, results } = await run(onDocument);
  expect(execution.resultsSummary).toMatchObject({ open: 1, decided: 1, totalAnnotationsCreated: 1 });
  expect(byName(results[0].findings)['/one']).toMatchObject({ decision: 'rejected', reason: 'Known.' });
  expect(byName(results[0].findings)['/one']).not.toHaveProperty('commentId');
});

test('the suggestion of a cause is decided with all of its findings', async () => {
  const w = await workspaceWithDocument();
  const agent = { postProcess: { annotations: { strategy: 'causes' } } };
  const { run } = await startAgent(
    w,
    `<nav>${anchors('gone')}</nav><footer>${anchors('gone')}</footer>`,
    agent,
  );
  await run(onDocument);
  const findings = await list(w);
  const ids = new Set(findings.map(({ annotationId }) => annotationId));
  expect(ids.size).toBe(1);
  expect([...ids][0]).toEqual(expect.any(String));
  await decide(w, [findings[0].id], 'rejected');
  expect(await list(w)).toEqual([]);
  expect((await run(onDocument)).execution).toMatchObject({ verdict: 'clean' });
});

test('the list is filtered by place, severity, type, words and time, and paged', async () => {
  const w = await workspaceWithDocument();
  const { run, url, agentId } = await startAgent(w, anchors('one', 'two', 'three'));
  const { execution } = await run(onDocument);
  await run();
  const all = await list(w);
  expect(all).toHaveLength(6);
  const count = async (filter: object) => (await list(w, filter)).length;
  expect(await count(onDocument)).toBe(3);
  expect(await count({ organizationId: 'o' })).toBe(3);
  expect(await count({ executionId: execution.id })).toBe(3);
  expect(await count({ agentId })).toBe(6);
  expect(await count({ agentId: 'spell-check' })).toBe(0);
  expect(await count({ pageUrl: `${url}/#part` })).toBe(6);
  expect(await count({ pageUrl: `${url}/other` })).toBe(0);
  const [{ severity, issueType, lastSeenAt, fingerprint }] = all;
  expect(await count({ severity, issueType: [issueType] })).toBeGreaterThan(0);
  expect(await count({ severity: ['info'] })).toBe(0);
  expect(await count({ text: '/TWO' })).toBe(2);
  expect(await count({ since: lastSeenAt + 1 })).toBe(0);
  expect(await count({ until: 1 })).toBe(0);
  expect(await count({ fingerprint })).toBe(2);
  const pages: Any[] = [];
  for (let pageToken: string | undefined; ; ) {
    const page: Any = await w.must('/v2/agents/findings/list', {
      pageSize: 4,
      ...(pageToken && { pageToken }),
    });
    pages.push(...page.findings);
    pageToken = page.nextPageToken;
    if (!pageToken) break;
  }
  expect(pages).toEqual(all);
  const wrong = await w.post('/v2/agents/findings/list', { documentId: 'd', pageUrl: 'pricing' });
  expect(wrong.status).toBe(400);
});

test('findings are counted by decision and severity, under the conditions and defaults of the list', async () => {
  const w = await workspaceWithDocument();
  const { run } = await startAgent(w, anchors('one', 'two', 'three'));
  await run();
  await run(onDocument);
  const all = await list(w);
  await decide(w, [all[0].id], 'accepted');
  await decide(w, [all[1].id, all[2].id], 'rejected');
  const count = (filter: object = {}): Promise<Any> => w.must('/v2/agents/findings/count', filter);
  const none = { undecided: 0, accepted: 0, rejected: 0, resolved: 0 };
  expect(await count()).toMatchObject({ total: 4, byDecision: { ...none, undecided: 3, accepted: 1 } });
  const { total, byDecision, bySeverity } = await count(ALL);
  expect([total, byDecision]).toEqual([6, { ...none, undecided: 3, accepted: 1, rejected: 2 }]);
  const listed = await list(w, ALL);
  for (const severity of ['critical', 'high', 'medium', 'low', 'info']) {
    expect(bySeverity[severity]).toBe(listed.filter((one) => one.severity === severity).length);
  }
  expect(await count({ ...ALL, organizationId: 'o' })).toMatchObject({ total: 3 });
  expect(await count({ ...ALL, text: '/TWO' })).toMatchObject({ total: 2 });
  expect(await count({ agentId: 'spell-check' })).toMatchObject({ total: 0 });
  expect((await w.post('/v2/agents/findings/count', { documentId: 'd' })).status).toBe(400);
});

test('findings go with their document, and move with it', async () => {
  const w = await workspaceWithDocument();
  const { run } = await startAgent(w, anchors('one'));
  await run(onDocument);
  const [before] = await list(w);
  const { migrationId } = await w.must('/v2/organizations/documents/migrate', {
    ...onDocument,
    newDocumentId: 'd2',
  });
  const { deps } = await testApp();
  const { workspaceId, apiKeyId } = w;
  const migration = { workspaceId, apiKeyId, organizationId: 'o', migrationId };
  await runMigration(deps.db, migration, new AbortController().signal);
  expect(await list(w)).toMatchObject([{ id: before.id, documentId: 'd2' }]);
  await decide(w, [before.id], 'rejected');
  expect((await get(w, before.id)).finding).toMatchObject({ decision: 'rejected', documentId: 'd2' });
  await w.must('/v2/organizations/documents/delete', { organizationId: 'o', documentIds: ['d2'] });
  expect(await list(w, ALL)).toEqual([]);
});

test('a user decides in their own name on findings on documents that they may edit', async () => {
  const w = await workspaceWithDocument();
  const { run } = await startAgent(w, anchors('one', 'two'));
  await run(onDocument);
  await run();
  const found = await list(w);
  const mine = found.filter(({ documentId }) => documentId === 'd');
  const others = found.filter(({ documentId }) => documentId === undefined);
  const asUser = async (accessRole: string | undefined, findingIds: string[], more: object = {}) => {
    const resources = accessRole ? [{ type: 'organization', id: 'o', accessRole }] : [];
    const eve = await newUserToken(w, { userId: 'eve', name: 'Eve', resources });
    const data = { findingIds, decision: 'accepted', ...more };
    return await eve.post('/v2/agents/findings/decide', data);
  };
  const ids = [mine[0].id, others[0].id];
  expect((await asUser('editor', ids, { actionUser: { userId: 'bo' } })).status).toBe(403);
  expect((await asUser('editor', ids)).body.result.data).toMatchObject({
    [mine[0].id]: { success: true },
    [others[0].id]: { success: false, code: 'not-found' },
  });
  expect((await get(w, mine[0].id)).finding).toMatchObject({
    decision: 'accepted',
    decidedBy: { userId: 'eve', name: 'Eve' },
  });
  await w.must('/v2/organizations/documents/update', {
    organizationId: 'o',
    documents: [{ documentId: 'd', accessType: 'restricted' }],
  });
  expect((await asUser(undefined, [mine[1].id])).body.result.data).toMatchObject({
    [mine[1].id]: { success: false, code: 'not-found' },
  });
});
