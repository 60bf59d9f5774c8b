import { expect, test } from 'vitest';
import { z } from 'zod';
import { everyFormat, failure, findings, one, stage, tool } from '../../../test/fakes/models/stage.ts';

const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);
const claude = everyFormat[0]![1];

test.each(everyFormat)(
  '%s answers with a schema, gets images and calls tools',
  async (_name, choice, options) => {
    const { fake, ask, notes } = await stage(
      ({ turn }) =>
        turn === 0
          ? {
              thoughts: 'I look first.',
              toolCalls: [
                { name: 'look', input: { q: 'é"' } },
                { name: 'fail', input: {} },
                { name: 'made.up', input: {} },
              ],
              usage: { input: 100, output: 20, thoughts: 8 },
            }
          : { json: one, usage: { input: 200, output: 30, thoughts: 0 } },
      options,
    );
    const order: string[] = [];
    const answer = await ask(choice, {
      parts: [{ text: 'The page.' }, { image: png, mimeType: 'image/png' }, { text: 'Its end.' }],
      tools: [
        tool('look', async (input) => {
          order.push(`look ${JSON.stringify(input)}`);
          return { text: `seen ${'x'.repeat(100_000)}`, isError: false };
        }),
        tool('fail', async () => {
          order.push('fail');
          throw new Error('it is broken');
        }),
      ],
    });
    expect(answer.data).toEqual(one);
    expect(answer.llmModel).toBe(`${choice.provider}/${choice.model}`);
    expect(answer.usage).toEqual({
      promptTokens: 300,
      completionTokens: choice.provider === 'gemini' ? 58 : 50,
      thoughtsTokens: 8,
      totalTokens: choice.provider === 'gemini' ? 358 : 350,
      requestCount: 2,
    });
    expect(order).toEqual([`look ${JSON.stringify({ q: 'é"' })}`, 'fail']);
    const questions = fake.requests.flatMap(({ question }) => question ?? []);
    expect(questions[0]).toMatchObject({
      model: choice.model,
      system: expect.stringMatching(/^You review pages\./),
      texts: ['The page.', 'Its end.'],
      images: [{ mimeType: 'image/png', base64: png.toString('base64') }],
      tools: [{ name: 'look', description: 'Does look.' }, { name: 'fail' }],
      schema: { type: 'object', properties: { findings: {} } },
    });
    // The thoughts of a model before a tool call are sent back to it, sealed.
    const sealed = { messages: 'signed', chat: '', responses: 'sealed thoughts', gemini: 'c2lnbmVk' };
    expect(fake.requests.at(-1)?.body).toContain(sealed[questions[1]!.format]);
    const results = questions[1]!.toolResults;
    expect(results[0]?.text).toMatch(/^seen x+\n\[Cut here: 5 more characters are left out\.\]$/);
    expect(results.slice(1)).toEqual([
      { text: 'The tool failed: it is broken', isError: true },
      { text: 'There is no tool of this name.', isError: true },
    ]);
    expect(
      notes.map((note) => (note.kind === 'tool' ? [note.name, note.isError, note.input] : note.kind)),
    ).toEqual([
      'request',
      ['look', false, { q: 'é"' }],
      ['fail', true, {}],
      ['made.up', true, {}],
      'request',
    ]);
  },
);

test.each(everyFormat)('%s answers in plain text', async (_name, choice, options) => {
  const { ask } = await stage(() => ({ text: 'All is well.' }), options);
  const answer = await ask(choice, { schema: undefined, temperature: 0.2, maxOutputTokens: 500 });
  expect(answer.data).toBe('All is well.');
});

test.each(everyFormat)('%s is told once why its answer is invalid', async (_name, choice, options) => {
  const answers = [{ text: '{"findings":[{"title":1,"severity":"low"}]}' }, { json: one }];
  const { fake, ask, notes } = await stage(() => answers.shift()!, options);
  const answer = await ask(choice);
  expect([answer.data, answer.usage.requestCount]).toEqual([one, 2]);
  const last = fake.requests.at(-1)?.question;
  expect(last?.texts.at(-1)).toMatch(/could not be used: it does not fit the schema \(findings\.0\.title: /);
  expect(last?.turn).toBe(1);
  expect(notes.map(({ kind }) => kind)).toEqual(['request', 'repair', 'request']);
});

test.each([
  ['is not JSON', { text: 'I would rather talk.' }],
  ['is of the wrong shape', { json: { findings: 'none' } }],
  ['is empty', { text: '' }],
  ['is cut off by the limit', { text: '{"findings":[', cutShort: true }],
  ['calls a tool although there is none', { toolCalls: [{ name: 'look', input: {} }] }],
])('an answer that %s twice is malformed, after two requests', async (_name, reply) => {
  const { fake, ask } = await stage(() => reply);
  for (const [, choice] of everyFormat.filter(([name]) => name !== 'openai by responses')) {
    fake.requests.length = 0;
    const error = await failure(ask(choice));
    expect(error).toMatchObject({ name: 'ModelFailure', kind: 'malformed', retryable: true });
    // Instructions for the model are not shown to the caller.
    expect(error.message).not.toContain('shorter');
    expect(error.usage.requestCount).toBe(2);
    expect(fake.requests.map(({ wrong }) => wrong)).toEqual([undefined, undefined]);
  }
});

test('an answer inside text or a code fence, and one that is not an object, are parsed', async () => {
  const texts = [`Here it is:\n\`\`\`json\n${JSON.stringify(one)}\n\`\`\``, `Sure: ${JSON.stringify(one)}!`];
  const { ask, fake } = await stage(({ schema }) =>
    texts.length > 0 ? { text: texts.shift()! } : { json: { answer: [1, 2] }, ...(schema as object) },
  );
  expect((await ask(claude)).data).toEqual(one);
  expect((await ask(claude)).data).toEqual(one);
  expect((await ask(claude, { schema: z.array(z.number()) })).data).toEqual([1, 2]);
  expect(fake.requests).toHaveLength(3);
});

test.each(everyFormat)(
  '%s that keeps calling tools must answer after the last turn',
  async (_name, choice, options) => {
    const { fake, ask } = await stage(
      ({ tools }) => (tools.length > 0 ? { toolCalls: [{ name: 'look', input: {} }] } : { json: one }),
      options,
    );
    const tools = [tool('look', async () => ({ text: 'nothing', isError: false }))];
    expect((await ask(choice, { tools, maxToolTurns: 3 })).data).toEqual(one);
    const questions = fake.requests.flatMap(({ question }) => question ?? []);
    expect(questions.map((question) => question.tools.length)).toEqual([1, 1, 1, 0]);
    expect(questions.at(-1)?.toolResults).toHaveLength(3);
    expect(questions.at(-1)?.texts.at(-1)).toMatch(/^No more tool calls/);
  },
);

test('tool turns are limited to sixteen, and a model that does not answer then is malformed', async () => {
  const { ask } = await stage(() => ({ toolCalls: [{ name: 'look', input: {} }] }));
  const tools = [tool('look', async () => ({ text: 'nothing', isError: false }))];
  const error = await failure(ask(claude, { tools, maxToolTurns: 1_000 }));
  expect([error.kind, error.usage.requestCount]).toEqual(['malformed', 18]);
});

test.each(everyFormat)(
  '%s that keeps calling tools exceeds the budget by at most one answer',
  async (_name, choice, options) => {
    const { ask } = await stage(
      () => ({ toolCalls: [{ name: 'look', input: {} }], usage: { input: 300, output: 100, thoughts: 0 } }),
      options,
    );
    let left = 1_000;
    const error = await failure(
      ask(choice, {
        tools: [tool('look', async () => ({ text: 'nothing', isError: false }))],
        budget: {
          left: () => left,
          spend: ({ totalTokens }) => {
            left -= totalTokens;
          },
        },
      }),
    );
    expect(error).toMatchObject({ kind: 'over-budget', retryable: false });
    expect([left, error.usage.totalTokens]).toEqual([-200, 1_200]);
  },
);

test('the length of an answer is limited by the rest of the budget', async () => {
  const { fake, ask } = await stage(() => ({ json: one }));
  await ask(claude, { budget: { left: () => 700, spend: () => {} } });
  await ask(claude, { budget: { left: () => 200, spend: () => {} } });
  await ask(claude);
  expect(fake.requests.map(({ question }) => question?.maxOutputTokens)).toEqual([700, 256, 32_000]);
});

test('a question larger than the rest of the budget is not sent', async () => {
  const { fake, ask } = await stage(() => ({ json: one }));
  const parts = [{ text: 'word '.repeat(4_000) }];
  const error = await failure(ask(claude, { parts, budget: { left: () => 3_000, spend: () => {} } }));
  expect(error).toMatchObject({ kind: 'over-budget', usage: { totalTokens: 0 } });
  expect(fake.requests).toEqual([]);
});

test.each(everyFormat)('%s is not asked again after a refusal', async (_name, choice, options) => {
  const replies = [{ refusal: 'I cannot help with the page.' }, { json: one, filtered: true }];
  const { fake, ask } = await stage(() => replies[0]!, options);
  for (; replies.length > 0; replies.shift()) {
    // Gemini blocks an answer without words.
    const isSilent = replies[0]?.refusal === undefined || choice.provider === 'gemini';
    const words = isSilent ? '' : ': “I cannot help with the page”';
    const error = await failure(ask(choice));
    expect(error).toMatchObject({
      kind: 'refused',
      retryable: false,
      message: `The model refused to answer${words}.`,
      usage: { requestCount: 1 },
    });
  }
  expect(fake.requests.filter(({ question }) => question)).toHaveLength(2);
});

test.each(everyFormat)(
  '%s can call a tool with a name that starts with a digit',
  async (_name, choice, options) => {
    const { ask } = await stage(
      ({ tools, turn }) =>
        turn === 0 ? { toolCalls: tools.map(({ name }) => ({ name, input: {} })) } : { json: one },
      options,
    );
    let called = 0;
    const call = async () => ({ text: `${++called}`, isError: false });
    await ask(choice, { tools: [tool('3d-view', call)] });
    expect(called).toBe(1);
  },
);

test('tools with invalid names are refused before a request', async () => {
  const { fake, ask } = await stage(() => ({ json: one }));
  const call = async () => ({ text: '', isError: false });
  for (const names of [['a b'], [''], ['x'.repeat(65)], ['twice', 'twice']]) {
    const error = await failure(ask(claude, { tools: names.map((name) => tool(name, call)) }));
    expect(error).toMatchObject({ kind: 'rejected' });
  }
  expect(fake.requests).toEqual([]);
});

test('a model that is not allowed or not configured is not asked', async () => {
  const { fake, ask } = await stage(() => ({ json: one }), { settings: { allowedModels: ['claude/other'] } });
  expect(await failure(ask(claude, { schema: findings }))).toMatchObject({ kind: 'not-configured' });
  expect(fake.requests).toEqual([]);
});
