import type { Client } from '@modelcontextprotocol/client';
import { expect, onTestFinished, test } from 'vitest';
import { readConfig } from '../../src/config.ts';
import { createModels } from '../../src/outside/models/create-models.ts';
import { providersOf } from '../../src/roles/setup/places.ts';
import { fakeModels, type Question, type Reply } from '../fakes/models/fake-models.ts';
import { links, onDocument, siteOf, small, work, workspaceWithDocument } from '../reviews/runs.ts';
import type { TestWorkspace } from '../service/harness.ts';
import { type Conversation, converse, workReviews } from './assistant-loop.ts';
import { asKey, mcpStage } from './mcp-stage.ts';

// biome-ignore lint/suspicious/noExplicitAny: answers of several operations.
type Any = any;

/** The most calls that a task may take. */
const MOST_CALLS = 8;

interface World {
  w: TestWorkspace;
  client: Client;
  url: string;
  agentId: string;
  /** The pages of the site, which may be changed. */
  pages: Record<string, string>;
  /** The operations that were called, by path. */
  operations: string[];
  findings(): Promise<Any[]>;
  run(): Promise<void>;
}

/** A site with two broken links and a missing place, reviewed on a document; and an assistant that is connected. */
async function newWorld(pages: Record<string, string> = { ...small }): Promise<World> {
  const w = await workspaceWithDocument();
  const site = await siteOf(pages);
  const { agentId } = await w.must('/v2/agents/create', { name: 'Links', ...links });
  const run = async () => {
    const started = await w.must('/v2/agents/execution/run', {
      agentId,
      url: site.url,
      crossPageExecute: true,
      ...onDocument,
    });
    await work(w, started.executionId);
  };
  await run();
  const operations: string[] = [];
  const { connect } = await mcpStage({ onRequest: ({ url }) => operations.push(url.split('?')[0]!) });
  const client = await connect(asKey(w));
  const findings = async () => (await w.must('/v2/agents/findings/list', {})).findings as Any[];
  return { w, client, url: site.url, agentId, pages, operations, findings, run };
}

const remember = (w: TestWorkspace) =>
  w.must('/v2/memory/judgments/add', {
    judgments: [
      {
        ...onDocument,
        decision: 'reject',
        reasoning: 'Links of the archive stay broken on purpose.',
        content: 'Broken link in the archive',
        actionUser: { userId: 'ada', name: 'Ada' },
      },
    ],
  });

const comments = async (w: TestWorkspace, { annotationId }: Any): Promise<string[]> => {
  const [one] = await w.must('/v2/commentannotations/get', { ...onDocument, annotationIds: [annotationId] });
  return one.comments.slice(1).map(({ commentText }: Any) => commentText);
};

const call = (name: string, input: object = {}): Reply => ({ toolCalls: [{ name, input }] });
const said = ({ toolResults }: Question): string => toolResults.map(({ text }) => text).join('\n');
const asked = ({ texts }: Question): string => texts.join('\n');
const idsIn = (text: string): string[] => [...new Set(text.match(/\bfnd_\w+/g))];
const lineWith = (text: string, start: string): string =>
  text.split('\n').find((line) => line.startsWith(start)) ?? '';

interface Task {
  ask(world: World): string | Promise<string>;
  prepare?(world: World): Promise<unknown>;
  /** The choices of the fake model, which it takes from what it has read. */
  script(question: Question): Reply;
  /** Fails unless the task is done. */
  check(conversation: Conversation, world: World): unknown;
  world?(): Promise<World>;
}

const addressesIn = (text: string): string[] => [...text.matchAll(/\| (http\S+) \|/g)].map(([, url]) => url!);

const tasks: Record<string, Task> = {
  'names the worst page': {
    ask: () => 'Which page has the most open findings? Answer with its address.',
    script(question) {
      if (question.turn === 0) return call('list_findings', { limit: 50 });
      const counts = Map.groupBy(addressesIn(said(question)), (url) => url);
      const [worst] = [...counts].sort(([, a], [, b]) => b.length - a.length);
      return { text: worst![0] };
    },
    check: ({ answer }, { url }) => expect(answer).toContain(`${url}/`),
  },
  'explains a finding with its evidence': {
    ask: () => 'Explain one finding of severity high, with the HTML that it is about.',
    script(question) {
      if (question.turn === 0) return call('list_findings', { severity: ['high'], limit: 1 });
      const text = said(question);
      if (question.turn === 1) return call('get_finding', { findingId: idsIn(text)[0] });
      return { text: lineWith(text, 'HTML: ') };
    },
    check: ({ answer }) => expect(answer).toContain('<a href="/gone">'),
  },
  'proposes a fix for a finding': {
    ask: () => 'Propose a fix for one finding of severity high: remove the link and keep its words.',
    script(question) {
      if (question.turn === 0) return call('list_findings', { severity: ['high'], limit: 1 });
      const text = said(question);
      const [findingId] = idsIn(text);
      if (question.turn === 1) return call('get_finding', { findingId, screenshot: 'none' });
      const oldText = lineWith(text, 'HTML: ').slice(6);
      const newText = oldText.replaceAll(/<[^>]*>/g, '');
      if (question.turn === 2)
        return call('propose_fix', { findingId, summary: 'Remove the link', oldText, newText });
      return { text: 'Proposed.' };
    },
    async check(_, { w }) {
      const all = await w.must('/v2/commentannotations/get', onDocument);
      const proposed = all.filter(({ context }: Any) => context?.findingId !== undefined);
      expect(proposed).toMatchObject([{ suggestion: { status: 'pending' } }]);
      expect(proposed[0].suggestion.newValue).toMatch(/^gone/);
      expect(proposed[0].comments[0].assistant).toEqual({ name: 'Test assistant' });
    },
  },
  'replies in one thread alone': {
    ask: async ({ findings }) =>
      `Reply to the finding ${(await findings())[0].id} that the link is removed on Monday.`,
    script(question) {
      const [findingId] = idsIn(asked(question));
      if (question.turn === 0) return call('reply', { findingId, text: 'The link is removed on Monday.' });
      return { text: 'Done.' };
    },
    async check(_, { w, findings }) {
      const [first, ...others] = await findings();
      expect((await comments(w, first)).join()).toMatch(/Monday/);
      for (const one of others) expect(await comments(w, one)).toEqual([]);
    },
  },
  'rejects as the memory has it': {
    prepare: ({ w }) => remember(w),
    ask: () => 'Reject one finding of severity high, with the reason that was given for the archive earlier.',
    script(question) {
      if (question.turn === 0) return call('search_memory', { query: 'broken links of the archive' });
      if (question.turn === 1) return call('list_findings', { severity: ['high'], limit: 1 });
      const text = said(question);
      const [, reason] = /reject by Ada[^:]*: ([^|\n]+)/.exec(text) ?? [];
      const findingIds = idsIn(text).slice(0, 1);
      if (question.turn === 2) return call('decide', { findingIds, decision: 'reject', reason });
      return { text: 'Rejected.' };
    },
    async check(_, { w }) {
      const { findings } = await w.must('/v2/agents/findings/list', { decision: 'rejected' });
      expect(findings.length).toBeGreaterThan(0);
      expect(findings[0].reason).toContain('archive');
      expect(findings[0].decidedBy.assistant).toBe('Test assistant');
    },
  },
  'resolves what a review no longer finds': {
    async prepare({ w, pages }) {
      await workReviews(w);
      pages['/'] = pages['/']!.replace('/b#nowhere', '/b#here');
    },
    ask: ({ url, agentId }) =>
      `The finding of the rule broken-fragment is mended. Review ${url}/ with the agent ${agentId} for the document d of the organization o, and resolve the finding if it is gone.`,
    script(question) {
      const text = said(question);
      if (question.turn === 0) return call('list_findings', { rule: 'broken-fragment' });
      const [, url, agents] = /Review (\S+) with the agent (\S+)/.exec(asked(question))!;
      if (question.turn === 1)
        return call('review_page', {
          urls: [url],
          agents: [agents],
          organizationId: 'o',
          documentId: 'd',
        });
      const [findingId] = idsIn(text);
      if (question.turn === 2) return call('get_finding', { findingId, screenshot: 'none' });
      const isFixed = lineWith(text, `Finding ${findingId}`).includes('fixed');
      if (question.turn === 3 && isFixed)
        return call('decide', { findingIds: [findingId], decision: 'resolve' });
      return { text: isFixed ? 'Resolved.' : 'It is still there.' };
    },
    async check({ calls }, { w }) {
      expect(calls).toContain('decide');
      const filter = { state: 'fixed', issueType: 'broken-fragment', decision: ['undecided', 'resolved'] };
      const { findings } = await w.must('/v2/agents/findings/list', filter);
      expect(findings).toHaveLength(1);
      const annotationIds = [findings[0].annotationId];
      const [{ status }] = await w.must('/v2/commentannotations/get', { ...onDocument, annotationIds });
      expect(status.id).toBe('RESOLVED');
    },
  },
  'starts a review and sums it up': {
    prepare: ({ w }) => workReviews(w),
    ask: ({ url }) => `Review ${url}/ with the agent broken-links. How many open findings are there?`,
    script(question) {
      const [url] = /http\S+/.exec(asked(question))!;
      if (question.turn === 0) return call('review_page', { urls: [url], agents: ['broken-links'] });
      return { text: lineWith(said(question), 'Review ') };
    },
    check: ({ answer }) => expect(answer).toMatch(/\d+ open finding/),
  },
  'follows a review that it does not wait for': {
    prepare: ({ w }) => workReviews(w),
    ask: ({ url }) =>
      `Start a review of ${url}/ with the agent broken-links without waiting, then follow it to its end. What is the verdict?`,
    script(question) {
      const text = said(question);
      const [url] = /http\S+/.exec(asked(question))!;
      if (question.turn === 0)
        return call('review_page', { urls: [url], agents: ['broken-links'], waitSeconds: 0 });
      const [reviewId] = /review_\w+/.exec(text)!;
      if (!/has ended/.test(text) && question.turn < MOST_CALLS)
        return call('get_review', { reviewId, waitSeconds: 45 });
      return { text: /has ended: (\w+)/.exec(text)![1]! };
    },
    check: ({ answer }) => expect(answer).toContain('findings'),
  },
  'says what was decided earlier, and by whom': {
    prepare: ({ w }) => remember(w),
    ask: () => 'What did we decide on broken links of the archive, and who did?',
    script(question) {
      if (question.turn === 0) return call('search_memory', { query: 'broken links of the archive' });
      return { text: lineWith(said(question), '- reject') };
    },
    check: ({ answer }) => expect(answer).toMatch(/Ada/),
  },
  'triages a document without writing': {
    async ask({ client }) {
      const { messages } = await client.getPrompt({ name: 'triage', arguments: { document: 'o/d' } });
      return messages.map(({ content }) => (content.type === 'text' ? content.text : '')).join('\n');
    },
    script(question) {
      const text = said(question);
      if (question.turn === 0) return call('list_findings', { organizationId: 'o', documentId: 'd' });
      if (question.turn === 1)
        return {
          toolCalls: idsIn(text).map((findingId) => ({
            name: 'get_finding',
            input: { findingId, screenshot: 'none' },
          })),
        };
      return { text: idsIn(text).join(' accept\n') };
    },
    async check({ answer }, { findings, operations }) {
      for (const { id } of await findings()) expect(answer).toContain(id);
      expect(operations.filter((path) => /\/(decide|add|update|run)$/.test(path))).toEqual([]);
    },
  },
  'pages through many findings to one word': {
    world: () => {
      const anchors = Array.from({ length: 70 }, (_, n) => `<a href="/x-${n}">Boat ${n}</a>`);
      return newWorld({ '/': [`<a href="/needle">The needle</a>`, ...anchors].join(' ') });
    },
    ask: () => 'Read the list of findings page by page: what is the id of the one about the needle?',
    script(question) {
      const text = said(question);
      const found = /(fnd_\w+)[^\n]*needle/.exec(text);
      if (found) return { text: found[1]! };
      const cursor = [...text.matchAll(/with cursor (\S+)/g)].at(-1)?.[1];
      return call('list_findings', { limit: 50, ...(cursor !== undefined && { cursor }) });
    },
    async check({ answer }, { findings }) {
      const [needle] = (await findings()).filter(({ title }) => title.includes('needle'));
      expect(answer).toContain(needle.id);
    },
  },
  'writes an agent from a checklist': {
    async ask({ client }) {
      const checklist = '1. Prices name the tax.\n2. Opening hours have a time zone.';
      const { messages } = await client.getPrompt({ name: 'write_agent', arguments: { checklist } });
      return `${messages.map(({ content }) => (content.type === 'text' ? content.text : '')).join('\n')}\nAnswer with the JSON of one agent and nothing else.`;
    },
    script(question) {
      const text = said(question);
      if (question.turn === 0) return call('list_resources');
      const [uri] = /redpen:\/\/agents\/[^"]+\.json/.exec(text) ?? [];
      if (question.turn === 1) return call('read_resource', { uri });
      const [, checklist] = /Checklist:\n([\s\S]*?)\nAnswer/.exec(asked(question))!;
      const { contextGathering } = JSON.parse(question.toolResults.at(-1)!.text);
      const agent = { name: 'Checklist', prompt: checklist, ...(contextGathering && { contextGathering }) };
      return { text: JSON.stringify(agent) };
    },
    async check({ answer }, { w }) {
      const agent = JSON.parse(/\{[\s\S]*\}/.exec(answer)![0]);
      const { agentId } = await w.must('/v2/agents/create', agent);
      expect(agentId).toMatch(/^agent_/);
    },
  },
};

test.each(Object.entries(tasks))(
  'an assistant %s, within eight calls',
  async (_, { world, prepare, ask, script, check }) => {
    const there = await (world ?? newWorld)();
    await prepare?.(there);
    const fake = await fakeModels((question) => script(question));
    onTestFinished(() => fake.close());
    there.operations.length = 0;
    const conversation = await converse(there.client, fake.models, await ask(there));
    expect(conversation.calls.length, conversation.calls.join()).toBeLessThanOrEqual(MOST_CALLS);
    expect(fake.requests.map(({ wrong }) => wrong)).toEqual(fake.requests.map(() => undefined));
    await check(conversation, there);
  },
);

const KEYS = ['OPENAI_API_KEY', 'ANTHROPIC_API_KEY', 'GOOGLE_GENERATIVE_AI_API_KEY'];

test.skipIf(KEYS.every((name) => process.env[name] === undefined))(
  'a real model, whose key is in the environment, does at least ten of the tasks',
  async () => {
    const config = readConfig(process.env);
    const models = createModels({
      providers: providersOf(config),
      defaultModel: config.REDPEN_MODEL,
      allowedModels: config.REDPEN_MODELS,
      maxOutputTokens: config.REDPEN_MODEL_OUTPUT_TOKENS,
    });
    onTestFinished(() => models.close());
    const done: string[] = [];
    for (const [name, { world, prepare, ask, check }] of Object.entries(tasks)) {
      const there = await (world ?? newWorld)();
      await prepare?.(there);
      const conversation = await converse(there.client, models, await ask(there));
      if (conversation.calls.length > MOST_CALLS) continue;
      if (
        await Promise.resolve(check(conversation, there)).then(
          () => true,
          () => false,
        )
      )
        done.push(name);
    }
    expect(done.length, done.join()).toBeGreaterThanOrEqual(10);
  },
);
