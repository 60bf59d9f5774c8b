import { expect, test } from 'vitest';
import {
  annotations,
  links,
  onDocument,
  siteOf,
  work,
  workspaceWithDocument,
} from '../../../test/reviews/runs.ts';
import { newWorkspace, type TestWorkspace, testApp } from '../../../test/service/harness.ts';

// biome-ignore lint/suspicious/noExplicitAny: answers of several operations.
type Any = any;

const anchors = (...names: string[]) =>
  names.map((name) => `<p><a href="/${name}">${name}</a></p>`).join('\n');

/** A page that can change, and an agent that reviews it repeatedly. */
async function startAgent(w: TestWorkspace, html: string, agent: object = {}) {
  const pages = { '/': html };
  const site = await siteOf(pages);
  const { agentId } = await w.must('/v2/agents/create', { name: 'A', ...links, ...agent });
  return {
    site,
    show: (next: string) => {
      pages['/'] = next;
    },
    run: async (request: object = onDocument): Promise<Any> => {
      const { executionId } = await w.must('/v2/agents/execution/run', {
        agentId,
        url: site.url,
        ...request,
      });
      return await work(w, executionId);
    },
  };
}

/** The suggestions of the document: the path of the fault and the id. */
const suggested = async (w: TestWorkspace) =>
  (await annotations(w)).map((one: Any) => [new URL(one.agent.reason.url).pathname, one.annotationId]).sort();

const byId = (all: Any[]) => (id: string) => all.find(({ annotationId }) => annotationId === id);

async function commentEvents(w: TestWorkspace): Promise<string[]> {
  const { deps } = await testApp();
  const rows = await deps.db
    .selectFrom('events')
    .select('name')
    .where('apiKeyId', '=', w.apiKeyId)
    .where('name', 'like', 'comment%')
    .execute();
  return rows.map(({ name }) => name).sort();
}

test('a second run on an unchanged page adds no suggestions, and its findings point to the existing ones', async () => {
  const w = await workspaceWithDocument();
  const { run } = await startAgent(w, anchors('one', 'two'));
  const first = await run();
  expect(first.execution).not.toHaveProperty('comparison');
  const [before, events] = [await suggested(w), await commentEvents(w)];
  const { execution, results, log } = await run();
  expect(await suggested(w)).toEqual(before);
  expect(await commentEvents(w)).toEqual(events);
  expect(execution).toMatchObject({
    status: 'failed',
    resultsSummary: { totalFindings: 2, totalAnnotationsCreated: 0 },
    comparison: {
      previousExecutionId: first.execution.id,
      new: 0,
      stillThere: 2,
      fixed: 0,
      fixedFindings: [],
    },
  });
  const findings = results[0].findings.map((one: Any) => [one.comparison, one.commentId]);
  expect(findings.sort()).toEqual(before.map(([, id]: string[]) => ['still_there', id]).sort());
  const blocks = (await annotations(w)).flatMap((one: Any) => [one.agent, one.comments[0].agent]);
  expect(blocks.map((agent: Any) => agent.executionId)).toEqual(Array(4).fill(execution.id));
  expect(JSON.stringify(log)).toContain('kept 2 suggestions of earlier runs');
});

test('after small changes of a page each suggestion stays with its finding', async () => {
  const w = await workspaceWithDocument();
  const { run, show } = await startAgent(w, `<div class="a">${anchors('one', 'two')}</div>`);
  await run();
  const before = await suggested(w);
  show(`<h1>News</h1><p>A paragraph <a href="/three">more</a></p><section class="b c">
    <p>Here is <a class="x" href="/two">the second one</a>, and</p><p>then <a href="/one">one</a></p></section>`);
  const { execution } = await run();
  expect(await suggested(w)).toEqual(expect.arrayContaining(before));
  expect(execution.resultsSummary.totalAnnotationsCreated).toBe(1);
  expect(execution.comparison).toMatchObject({ new: 1, stillThere: 2, fixed: 0 });
  show(anchors('one'));
  expect(JSON.stringify((await run()).log)).toContain('kept 1 suggestion of earlier runs, found again.');
});

test('decisions of people are kept, the agent resolves repaired faults, and the rest follows the page', async () => {
  const w = await workspaceWithDocument();
  const { run, show, site } = await startAgent(
    w,
    anchors('accepted', 'rejected', 'resolved', 'open', 'fixed'),
  );
  await run();
  const before = Object.fromEntries(await suggested(w));
  const update = (name: string, updatedData: object) =>
    w.must('/v2/commentannotations/update', {
      ...onDocument,
      annotationIds: [before[`/${name}`]],
      updatedData,
    });
  await update('accepted', { suggestion: { status: 'accepted' } });
  await update('rejected', { suggestion: { status: 'rejected' } });
  await update('resolved', {
    status: { id: 'RESOLVED', name: 'Resolved', type: 'terminal', color: '#0f0', lightColor: '#efe' },
  });
  show(anchors('accepted', 'rejected', 'resolved', 'open', 'new'));
  const { execution, results, log } = await run();
  const after: [string, string][] = await suggested(w);
  expect(after.map(([name]) => name)).toEqual([
    '/accepted',
    '/fixed',
    '/new',
    '/open',
    '/rejected',
    '/resolved',
  ]);
  for (const name of ['accepted', 'fixed', 'rejected', 'open', 'resolved']) {
    expect(after).toContainEqual([`/${name}`, before[`/${name}`]]);
  }
  expect(execution).toMatchObject({
    verdict: 'findings',
    resultsSummary: { totalFindings: 5, totalAnnotationsCreated: 1, open: 3, decided: 2, new: 1, fixed: 1 },
  });
  const repaired = byId(await annotations(w))(before['/fixed']!);
  expect(repaired).toMatchObject({
    status: { type: 'terminal' },
    resolvedByUserId: execution.agentId,
    agent: { repaired: { executionId: execution.id } },
  });
  expect(execution.comparison).toMatchObject({
    new: 1,
    stillThere: 4,
    fixed: 1,
    fixedFindings: [{ issueType: 'broken-link', url: `${site.url}/fixed`, sourceUrl: `${site.url}/` }],
  });
  const pointsAt = Object.fromEntries(
    results[0].findings.map((one: Any) => [new URL(one.url).pathname, one.commentId]),
  );
  expect(pointsAt).toMatchObject({
    '/accepted': before['/accepted'],
    '/rejected': before['/rejected'],
    '/open': before['/open'],
    '/resolved': before['/resolved'],
  });
  const decisions = results[0].findings.map((one: Any) => [new URL(one.url).pathname, one.decision]);
  expect(Object.fromEntries(decisions)).toEqual({
    '/accepted': 'accepted',
    '/rejected': 'rejected',
    '/resolved': 'resolved',
    '/open': undefined,
    '/new': undefined,
  });
  const note = log.find(({ data }: Any) => data.decided);
  expect(note.message).toContain('3 findings were not suggested again');
  expect(note.data.decided.map((one: Any) => one.decision).sort()).toEqual([
    'accepted',
    'rejected',
    'resolved',
  ]);
  show(anchors('accepted', 'rejected', 'resolved', 'open', 'new', 'fixed'));
  const again = await run();
  expect(again.execution.resultsSummary.totalAnnotationsCreated).toBe(0);
  const reopened = byId(await annotations(w))(before['/fixed']!);
  expect(reopened.status.type).toBe('default');
  expect(reopened.agent.repaired).toBeUndefined();
});

test("a kept suggestion gets the agent's new wording, unless a person has edited it", async () => {
  const w = await workspaceWithDocument();
  const { run, show } = await startAgent(w, anchors('one', 'two'));
  await run();
  const [mine, edited] = await annotations(w);
  await w.must('/v2/commentannotations/comments/update', {
    ...onDocument,
    annotationId: edited.annotationId,
    commentIds: [edited.comments[0].commentId],
    updatedData: { commentText: 'In my words.', from: { userId: 'ada' } },
  });
  const updates = async () =>
    (await commentEvents(w)).filter((name) => name === 'comment_annotation.update').length;
  const before = await updates();
  show(anchors('one', 'two').replaceAll('</a>', ' again</a>'));
  const { execution } = await run();
  expect(execution.resultsSummary.totalAnnotationsCreated).toBe(0);
  const [mineNow, editedNow] = [mine, edited]
    .map(({ annotationId }: Any) => annotationId)
    .map(byId(await annotations(w)));
  expect(editedNow.comments[0].commentText).toBe('In my words.');
  expect(mineNow.comments[0].commentText).not.toBe(mine.comments[0].commentText);
  expect(mineNow.comments[0].commentHtml).toContain('again');
  expect(mineNow.targetElement.targetText).toMatch(/again$/);
  expect((await updates()) - before).toBe(1);
});

test('with the stage switched off every run writes its own suggestions', async () => {
  const w = await workspaceWithDocument();
  const off = { postProcess: { deletePreviousSuggestions: { enabled: false } } };
  const { run } = await startAgent(w, anchors('one'), off);
  await run();
  const { execution } = await run();
  expect(execution.resultsSummary.totalAnnotationsCreated).toBe(1);
  expect(execution.comparison).toMatchObject({ new: 0, stillThere: 1 });
  expect(await suggested(w)).toHaveLength(2);
});

test('the suggestion for a whole page is updated with its findings, and returns after a decision only with other findings', async () => {
  const w = await workspaceWithDocument();
  const whole = { postProcess: { annotations: { strategy: 'page-level' } } };
  const { run, show } = await startAgent(w, anchors('one'), whole);
  await run();
  const [first] = await annotations(w);
  show(anchors('one', 'two'));
  await run();
  const [second, ...others] = await annotations(w);
  expect(others).toEqual([]);
  expect(second.annotationId).toBe(first.annotationId);
  expect(second.comments[0].commentText).toContain('2 issues');
  await w.must('/v2/commentannotations/update', {
    ...onDocument,
    annotationIds: [first.annotationId],
    updatedData: { suggestion: { status: 'rejected' } },
  });
  await run();
  expect(await annotations(w)).toHaveLength(1);
  show(anchors('one', 'two', 'three'));
  await run();
  expect(await annotations(w)).toHaveLength(2);
});

test('without a document runs from the same address are compared, and failed pages do not count as fixed', async () => {
  const w = await newWorkspace();
  const { run, show } = await startAgent(w, anchors('one', 'two'));
  const first = await run({});
  show('');
  const failing = await run({});
  expect(failing.execution.comparison).toMatchObject({ fixed: 2, previousExecutionId: first.execution.id });
  const { deps } = await testApp();
  // As if that run had failed to load the page.
  await deps.db
    .updateTable('executionPages')
    .set({ status: 'failed' })
    .where('apiKeyId', '=', w.apiKeyId)
    .where('executionId', '=', failing.execution.id)
    .execute();
  show(anchors('two', 'three'));
  const { execution } = await run({});
  expect(execution.comparison).toMatchObject({
    previousExecutionId: first.execution.id,
    new: 1,
    stillThere: 1,
    fixed: 1,
  });
  expect(execution.previousExecutionId).toBe(failing.execution.id);
});
