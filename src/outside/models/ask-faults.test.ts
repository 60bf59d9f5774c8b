import { inspect } from 'node:util';
import { expect, test } from 'vitest';
import type { Reply } from '../../../test/fakes/models/fake-models.ts';
import { everyFormat, failure, one, stage, tool } from '../../../test/fakes/models/stage.ts';
import { createModels } from './create-models.ts';
import type { ModelNote } from './models.ts';

const [, claude] = everyFormat[0]!;
const retries = (notes: ModelNote[]) => notes.flatMap((note) => (note.kind === 'retry' ? [note] : []));

/** Transient faults, with the kind of the failure if they persist. */
const transientFaults: [string, Reply, string][] = [
  ['is cut off', { json: one, cutOff: true }, 'unavailable'],
  ['is a 429', { status: 429 }, 'rate-limited'],
  ['is a 500', { status: 500 }, 'unavailable'],
  ['is a 503 without a body', { status: 503, body: '' }, 'unavailable'],
  ['is a 529', { status: 529 }, 'unavailable'],
  ['is garbage', { garbage: 'data: {"choices": [[[\n\n' }, 'malformed'],
  ['is noise', { garbage: 'no event at all \u0007' }, 'malformed'],
  ['is a page', { garbage: '<h1>Welcome</h1>', contentType: 'text/html' }, 'malformed'],
  [
    'has another form',
    { garbage: '{"hello":[1]}', contentType: 'application/json' },
    'malformed|unavailable',
  ],
  ['is an empty stream', { garbage: '' }, 'unavailable'],
];

test.each(everyFormat)(
  '%s is asked up to three times after a transient fault',
  async (_name, choice, options) => {
    let reply: Reply = { json: one };
    let bad = 0;
    const { fake, ask, notes } = await stage(() => (bad-- > 0 ? reply : { json: one }), options);
    // The first request finds out which interfaces the server has.
    await ask(choice);
    for (const [what, fault, kind] of transientFaults) {
      reply = fault;
      bad = 2;
      fake.requests.length = 0;
      notes.length = 0;
      expect((await ask(choice)).data, what).toEqual(one);
      expect([fake.requests.length, retries(notes).length], what).toEqual([3, 2]);
      bad = 3;
      expect(await failure(ask(choice)), what).toMatchObject({
        kind: expect.stringMatching(kind),
        retryable: true,
      });
      expect(fake.requests.length, what).toBe(6);
    }
  },
);

test.each(everyFormat)('%s is not asked again after a permanent fault', async (_name, choice, options) => {
  let reply: Reply = { json: one };
  const { fake, ask } = await stage(() => reply, options);
  await ask(choice);
  const secret = 'sk-abcdefghijklmnop1234';
  for (const [status, message] of [
    [400, `The key ${secret} is bad,\nreally.`],
    [401, 'Bad key.'],
    [404, 'No such model.'],
    [422, `You said: ${'a page of the customer, '.repeat(3)}`],
  ] as const) {
    reply = { status, message };
    fake.requests.length = 0;
    const error = await failure(ask(choice, { parts: [{ text: 'a page of the customer, '.repeat(20) }] }));
    expect(error).toMatchObject({ kind: 'rejected', retryable: false });
    expect(error.message).toContain(`The provider refused the request (${status}`);
    expect(error.message).not.toMatch(/sk-abc|customer|\n/);
    expect(inspect(error, { depth: 9 })).not.toMatch(/sk-abc|customer/);
    expect(fake.requests).toHaveLength(1);
  }
});

test.each([
  ['claude', '{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}', 'unavailable'],
  ['openai by chat', '{"error":{"message":"Slow.","type":"rate_limit_error","code":429}}', 'rate-limited'],
  [
    'openai by responses',
    '{"type":"error","sequence_number":1,"error":{"type":"server_error","code":"server_error","message":"x","param":null}}',
    'unavailable',
  ],
  ['gemini', '{"error":{"code":503,"status":"UNAVAILABLE","message":"Later."}}', 'unavailable'],
])('an error in the stream of %s is recognized', async (name, event, kind) => {
  const [, choice, options] = everyFormat.find(([format]) => format === name)!;
  const { fake, ask } = await stage(() => ({ garbage: `data: ${event}\n\n` }), options);
  expect(await failure(ask(choice))).toMatchObject({ kind, retryable: true });
  expect(fake.requests.filter(({ question }) => question)).toHaveLength(3);
});

test('an answer may contain any character', async () => {
  const title = 'a\u2028b\u0085c\ufeff\ud83d\ude00data: [[';
  const { ask } = await stage(() => ({ json: { findings: [{ title, severity: 'low' }] }, drip: 61 }));
  expect((await ask(claude)).data).toEqual({ findings: [{ title, severity: 'low' }] });
});

test('keys are sent only to their provider in its header, and are in no message', async () => {
  const apiKey = 'my-own-word';
  const { fake } = await stage(() => ({ status: 403, message: `The key ${apiKey} may not.` }));
  const access = (provider: 'claude' | 'openai' | 'gemini') => ({ apiKey, baseUrl: fake.url(provider) });
  const models = createModels({
    providers: { claude: access('claude'), openai: access('openai'), gemini: access('gemini') },
    allowedModels: [],
  });
  for (const [name, choice] of everyFormat) {
    if (name === 'openai by responses') continue;
    const error = await failure(models.ask({ choice, instructions: '', parts: [{ text: 'x' }] }));
    expect([error.kind, error.message]).toEqual([
      'rejected',
      'The provider refused the request (403: The key … may not).',
    ]);
    const { headers } = fake.requests.at(-1)!;
    const sent = [headers['x-api-key'], headers.authorization, headers['x-goog-api-key']];
    expect(sent.filter(Boolean)).toEqual([name.startsWith('openai') ? `Bearer ${apiKey}` : apiKey]);
  }
  await models.close();
});

test('redirects are not followed, so that the key stays with its provider', async () => {
  const { fake, ask } = await stage(() => ({
    status: 307,
    headers: { location: '/v1/elsewhere' },
    body: '',
  }));
  expect(await failure(ask(claude))).toMatchObject({
    kind: 'rejected',
    message: 'The provider answered with a redirect (307), which is not followed.',
  });
  expect(fake.requests).toHaveLength(1);
});

test('a retry waits for the time that the provider names, in any of its forms', async () => {
  const waits: Record<string, string>[] = [
    { 'retry-after-ms': '30' },
    { 'retry-after': '0' },
    { 'retry-after': new Date(Date.now() - 60_000).toUTCString() },
  ];
  for (const headers of waits) {
    const replies: Reply[] = [{ status: 429, headers }, { json: one }];
    const { ask, notes } = await stage(() => replies.shift()!, { settings: { backoffMs: 60_000 } });
    expect((await ask(claude)).data).toEqual(one);
    expect(retries(notes)).toMatchObject([
      { status: 429, waitMs: headers['retry-after'] === undefined ? 30 : 0 },
    ]);
  }
});

test.each<[string, Reply]>([
  ['seconds', { status: 429, headers: { 'retry-after': '3600' } }],
  ['a date', { status: 429, headers: { 'retry-after': new Date(Date.now() + 3_600_000).toUTCString() } }],
  ['a body', { status: 429, body: '{"error":{"message":"slow","details":[{"retryDelay":"3600s"}]}}' }],
])('a retry time in %s beyond the time limit fails the question at once', async (_name, reply) => {
  const { fake, ask } = await stage(() => reply);
  expect(await failure(ask(claude))).toMatchObject({ kind: 'rate-limited', retryable: true });
  expect(fake.requests).toHaveLength(1);
});

test.each<[string, Reply]>([
  ['before its headers', { hang: 'headers' }],
  ['after its headers', { hang: 'body' }],
  ['and drips', { json: one, drip: 1 }],
])('the time limit ends a question to a server that hangs %s', async (_name, reply) => {
  const { ask } = await stage(() => reply);
  for (const [name, choice] of everyFormat) {
    if (name === 'openai by responses') continue;
    expect(await failure(ask(choice, { timeoutMs: 60 }))).toMatchObject({ kind: 'timeout', retryable: true });
  }
});

test.each<[string, Reply]>([
  ['an answer', { hang: 'body' }],
  ['the next try', { status: 500 }],
])('the signal ends the wait for %s', async (_name, reply) => {
  const controller = new AbortController();
  const answer = () => {
    if ('hang' in reply) controller.abort();
    return reply;
  };
  const { ask } = await stage(answer, { settings: { backoffMs: 60_000 } });
  const pending = failure(ask(claude, { signal: controller.signal, note: () => controller.abort() }));
  expect(await pending).toMatchObject({ kind: 'aborted', retryable: false });
});

test('the signal and the time limit end the wait for a tool that ignores them', async () => {
  const { ask } = await stage(() => ({ toolCalls: [{ name: 'look', input: {} }] }));
  const controller = new AbortController();
  const toolThatHangs = (onCall: () => void) => [
    tool('look', () => {
      onCall();
      return new Promise(() => {});
    }),
  ];
  expect(await failure(ask(claude, { tools: toolThatHangs(() => {}), timeoutMs: 60 }))).toMatchObject({
    kind: 'timeout',
  });
  const tools = toolThatHangs(() => controller.abort());
  expect(await failure(ask(claude, { tools, signal: controller.signal }))).toMatchObject({ kind: 'aborted' });
});

test('an endless answer is cut off at 16 MB, and not asked for again', async () => {
  const { fake, ask } = await stage(() => ({ garbage: 50_000_000 }));
  expect(await failure(ask(claude))).toMatchObject({
    kind: 'malformed',
    message: 'The answer of the model is too long.',
  });
  expect(fake.requests).toHaveLength(1);
});

test.each(everyFormat)(
  'missing and implausible token counts of %s are estimated',
  async (_name, choice, options) => {
    const usages = [
      null,
      { input: -5, output: 'many', thoughts: 1e300 },
      { input: 1e15, output: null, thoughts: -1 },
      { input: '10', output: {}, thoughts: [] },
    ];
    let usage: unknown;
    const { ask } = await stage(() => ({ json: one, usage: usage as null }), options);
    for (usage of usages) {
      const answer = await ask(choice, { parts: [{ text: 'x'.repeat(4_000) }] });
      const { promptTokens, completionTokens, thoughtsTokens, totalTokens } = answer.usage;
      expect(answer.data).toEqual(one);
      expect(promptTokens).toBeGreaterThan(1_000);
      expect(promptTokens).toBeLessThan(1_200);
      expect([completionTokens, thoughtsTokens]).toEqual([Math.ceil(JSON.stringify(one).length / 4), 0]);
      expect(totalTokens).toBe(promptTokens + completionTokens);
    }
  },
);

test.each(everyFormat.filter(([name]) => name !== 'gemini'))(
  'tokens of an interrupted tool call of %s are counted',
  async (_name, choice, options) => {
    const calls = [{ name: 'look', input: { words: 'x'.repeat(40_000) } }];
    const { ask } = await stage(() => ({ toolCalls: calls, cutOff: true }), options);
    const tools = [tool('look', async () => ({ text: '', isError: false }))];
    const { usage } = await failure(ask(choice, { tools }));
    expect(usage.requestCount).toBe(3);
    expect(usage.completionTokens).toBeGreaterThan(10_000);
  },
);

test('tokens of an interrupted answer are counted', async () => {
  const { ask } = await stage(() => ({ text: 'x'.repeat(40_000), cutOff: true }));
  const { usage } = await failure(ask(claude));
  expect(usage.requestCount).toBe(3);
  expect(usage.completionTokens).toBeGreaterThan(10_000);
});
