import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { z } from 'zod';
import type { PageFailure } from '../browser/browser.ts';
import { ModelFailure, NO_USAGE, type PromptPart } from '../models/models.ts';
import { createGuard } from '../net/ssrf-guard.ts';
import { cleanUp, serve } from '../net/testing-servers.ts';
import type { AgentStep, BrowserAgent, BrowserTask } from './browser-agent.ts';
import { createBrowserAgent } from './create-browser-agent.ts';

let folder = '';
let agent: BrowserAgent;
const dialed = new Set<string>();

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'agent-test-'));
  vi.stubEnv('TMPDIR', folder);
  const guard = createGuard({ allowHosts: ['127.0.0.1'] });
  agent = createBrowserAgent({
    chromePath: process.env.CHROME_PATH,
    guard: {
      ...guard,
      dial: (host, port, options) => {
        dialed.add(`${host}:${port}`);
        return guard.dial(host, port, options);
      },
    },
    log: () => {},
  });
});
afterEach(cleanUp);
afterAll(async () => {
  await agent.close();
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true });
});

const PAGES: Record<string, string> = {
  '/': '<title>Home</title><h1>Home</h1><a href="/shop" target="_blank" style="position:absolute;left:200px;top:200px;width:99px;height:40px">Shop</a><a href="http://elsewhere.example/">Partner</a>',
  '/shop': '<title>Shop</title><img src="http://10.0.0.1/a.png"><a href="/prices">Prices</a>',
  '/prices':
    '<title>Prices</title><p>The bycicle costs 5.</p><form action="/found"><input name="q" aria-label="Search"></form>',
  '/found': '<title>Found</title><p>Nothing.</p>',
};
const site = () =>
  serve((request, response) => {
    const body = PAGES[request.url!.split('?')[0]!];
    response.writeHead(body === undefined ? 404 : 200, { 'content-type': 'text/html' });
    response.end(`<!doctype html><html lang="en"><body>${body ?? 'gone'}`);
  });

interface Question {
  instructions: string;
  text: string;
  pictures: number;
}

/** A model that gives these answers in turn, each computed from its question. */
function scripted(...answers: ((question: Question) => unknown)[]) {
  const questions: Question[] = [];
  const ask: BrowserTask<unknown>['ask'] = async ({ instructions, parts, schema }) => {
    const texts = parts.flatMap((part: PromptPart) => ('text' in part ? [part.text] : []));
    const question = {
      instructions,
      text: texts.join('\n'),
      pictures: parts.length - texts.length,
    };
    questions.push(question);
    const answer = await answers[Math.min(questions.length, answers.length) - 1]!(question);
    const data = schema ? schema.parse(answer) : answer;
    return { data: data as never, usage: NO_USAGE, llmModel: 'scripted/model' };
  };
  return { ask, questions };
}

/** The number of the element with this name in the outline. */
const numberOf = (name: string) => (question: Question) =>
  new RegExp(`\\[([\\d-]+)\\] [^\\n]*${name}`).exec(question.text)?.[1] ?? `no ${name}`;
const on =
  (action: string, name: string, text = '') =>
  (question: Question) => ({
    notes: '',
    action,
    element: numberOf(name)(question),
    text,
  });
const say =
  (action: string, text = '') =>
  () => ({ notes: '', action, element: '', text });

const task = (url: string, more: Partial<BrowserTask<unknown>>): BrowserTask<string> => ({
  url: `${url}/`,
  deviceType: 'desktop',
  instructions: 'Find spelling mistakes.',
  mode: 'hybrid',
  maxSteps: 12,
  waitUntil: 'load',
  navigationTimeoutMs: 10_000,
  ask: scripted(say('done')).ask,
  signal: new AbortController().signal,
  timeoutMs: 100_000,
  ...(more as object),
});

test('the agent follows links within the site and nowhere else, and answers from its notes', async () => {
  const { url, port } = await site();
  const other = await serve((_request, response) => response.end('not yours'));
  const steps: AgentStep[] = [];
  const { ask, questions } = scripted(
    on('click', 'Partner'),
    say('click', 'nothing'),
    on('click', 'Shop'),
    on('click', 'Prices'),
    (question) => ({ ...on('type', 'Search', 'bike')(question), notes: 'bycicle on /prices' }),
    say('press', 'Enter'),
    say('goto', other.url),
    say('goto', 'http://169.254.169.254/latest'),
    say('goto', '/'),
    say('act', 'open the shop'),
    // The answer to Stagehand's own question about the action.
    (question) => ({
      twoStep: false,
      action: {
        elementId: numberOf('Shop')(question),
        description: 'Shop',
        method: 'click',
        arguments: [],
      },
    }),
    say('done'),
    ({ text }) => ({ mistakes: [/Noted: (\w+)/.exec(text)?.[1]] }),
  );
  const read: string[] = [];
  const result = await agent.run({
    ...task(url, {}),
    schema: z.object({ mistakes: z.array(z.string()) }),
    ask,
    read: (text, where) => {
      read.push(where);
      return text.replace('Nothing', '(cut)');
    },
    note: (step) => steps.push(step),
  });
  const paths = steps.map(({ action, url: at, error }) => [
    action.split(' ')[0],
    new URL(at).pathname,
    error,
  ]);
  expect(paths).toEqual([
    ['click', '/', 'It leads away from the site, to http://elsewhere.example/, which is not opened.'],
    ['click', '/', 'The outline has no element (none was named).'],
    ['click', '/', undefined],
    ['click', '/shop', undefined],
    ['type', '/prices', undefined],
    ['press', '/prices', undefined],
    ['goto', '/found', 'Only addresses of this site are opened.'],
    ['goto', '/found', 'Only addresses of this site are opened.'],
    ['goto', '/found', undefined],
    ['act', '/', undefined],
    ['done', '/shop', undefined],
  ]);
  expect(result).toMatchObject({ data: { mistakes: ['bycicle'] }, steps: 11 });
  expect(result.visited).toContain(`${url}/found?q=bike`);
  expect(questions[6]!.text).toContain('(cut)');
  expect(questions.at(-1)!.pictures).toBe(1);
  expect(questions[0]!.instructions).not.toContain('Home');
  expect(read).toContain(`${url}/prices`);
  expect(other.requests).toEqual([]);
  expect([...dialed].sort()).toEqual([`10.0.0.1:80`, `127.0.0.1:${port}`]);
});

const failureOf = (work: Promise<unknown>) =>
  work.then(
    () => expect.fail('It went well.'),
    (error: PageFailure | ModelFailure) => error,
  );

test('a run ends after its steps, with a failure of its model, or before it gets a slot', async () => {
  const { url, requests } = await site();
  const impatient = new AbortController();
  const aborted = once(impatient.signal, 'abort');
  const { ask, questions } = scripted(
    () => {
      impatient.abort();
      // The position of the link, whatever fonts the machine has.
      return { action: 'click', x: 250, y: 220 };
    },
    () => ({ action: 'scroll', text: 'down' }),
    () => 'It is fine.',
  );
  const refusal = new ModelFailure('rate-limited', 'Too much.');
  const failing = scripted(
    () => ({ action: 'act', text: 'open the shop' }),
    async () => {
      // Its slot must not become free before the waiting run has been aborted.
      await aborted;
      throw refusal;
    },
  );
  const [short, failed, waiting, internal] = await Promise.all([
    agent.run(task(url, { mode: 'cua', maxSteps: 2, ask })),
    failureOf(agent.run(task(url, { mode: 'dom', ask: failing.ask }))),
    failureOf(agent.run(task(`${url}/never`, { signal: impatient.signal }))),
    failureOf(agent.run(task('http://169.254.169.254', {}))),
  ]);
  expect(short).toMatchObject({ data: 'It is fine.', steps: 2, visited: [`${url}/`, `${url}/shop`] });
  expect(questions.map(({ pictures }) => pictures)).toEqual([1, 1, 1]);
  expect(questions[1]!.text).not.toContain('Prices');
  expect(failed).toBe(refusal);
  expect(failing.questions).toHaveLength(2);
  expect(waiting.kind).toBe('aborted');
  expect(internal.kind).toBe('refused-host');
  expect(requests.some((request) => request.url!.includes('never'))).toBe(false);
});

test('a browser that is killed during a run is a crash, and leaves nothing behind', async () => {
  const { url } = await site();
  const runners = () =>
    readdirSync(folder)
      .filter((name) => name.startsWith('redpen-browser-'))
      .map((name) => Number(readFileSync(join(folder, name, 'runner'), 'utf8').split('\n')[0]));
  const { ask } = scripted(() => {
    for (const pid of runners()) process.kill(-pid, 'SIGKILL');
    return { action: 'click', element: '0-1' };
  });
  const failure = await failureOf(agent.run(task(url, { ask })));
  expect(failure.kind).toBe('crash');
  await vi.waitFor(() => expect(readdirSync(folder)).toEqual([]), 60_000);
});
