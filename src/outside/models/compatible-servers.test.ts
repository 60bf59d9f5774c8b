import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { fakeModels } from '../../../test/fakes/models/fake-models.ts';
import { failure, findings, one, stage, tool } from '../../../test/fakes/models/stage.ts';
import { createModels } from './create-models.ts';
import { addressOf } from './language-model.ts';
import type { ModelProvider } from './models.ts';

const local = { provider: 'openai', model: 'llama' } as const;

test('the interface of a compatible server is detected once', async () => {
  const { fake, ask } = await stage(() => ({ json: one }), { openaiSpeaks: 'responses' });
  await ask(local);
  await ask(local);
  expect(fake.requests.map(({ path }) => path)).toEqual([
    '/v1/chat/completions',
    '/v1/responses',
    '/v1/responses',
  ]);
});

test('an unknown model is not mistaken for a missing interface', async () => {
  const { fake, ask } = await stage(() => ({ status: 404, message: 'model "llama" not found' }));
  expect(await failure(ask(local))).toMatchObject({ kind: 'rejected' });
  expect(fake.requests).toHaveLength(1);
});

test('a server without schemas gets the schema in the instructions, from then on', async () => {
  const { fake, ask } = await stage((_question, number) =>
    number === 0 ? { status: 400, message: 'response_format is not supported' } : { json: one },
  );
  expect((await ask(local)).data).toEqual(one);
  expect((await ask(local)).data).toEqual(one);
  const systems = fake.requests.map(({ question }) => question?.system);
  expect(systems[0]).toBe('You review pages.');
  expect(systems[1]).toMatch(
    /^You review pages\.\n\nGive your final answer as one JSON object .*"findings"/s,
  );
  expect(fake.requests.map(({ body }) => body.includes('"response_format"'))).toEqual([true, false, false]);
});

test('a server that refuses the temperature or streaming is asked without it', async () => {
  const { fake, ask } = await stage(({ temperature }) =>
    temperature === undefined ? { json: one } : { status: 400, message: 'Unsupported value: temperature' },
  );
  expect((await ask(local, { temperature: 0 })).data).toEqual(one);
  expect((await ask(local, { temperature: 0 })).data).toEqual(one);
  expect(fake.requests.map(({ question }) => question?.temperature)).toEqual([0, undefined, undefined]);
  const other = await stage(() => ({
    status: 422,
    message: 'stream_options: extra inputs are not permitted',
  }));
  expect(await failure(other.ask(local))).toMatchObject({ kind: 'rejected' });
  expect(other.fake.requests.map(({ body }) => body.includes('"stream"'))).toEqual([true, false]);
});

test('a schema does not prevent a compatible server from calling tools', async () => {
  const { fake, ask } = await stage(({ tools, turn }) =>
    tools.length > 0 && turn === 0 ? { toolCalls: [{ name: 'look', input: {} }] } : { json: one },
  );
  const tools = [tool('look', async () => ({ text: 'seen', isError: false }))];
  await ask(local, { tools, maxToolTurns: 1 });
  expect(fake.requests.map(({ body }) => body.includes('"response_format"'))).toEqual([false, true]);
});

test('a model without JSON output beside tools gets the schema in the instructions', async () => {
  const { fake, ask } = await stage(({ schema }) => {
    expect(schema).toBeDefined();
    return { json: one };
  });
  const tools = [tool('look', async () => ({ text: 'seen', isError: false }))];
  expect((await ask({ provider: 'gemini', model: 'of-our-own' }, { tools })).data).toEqual(one);
  expect(fake.requests.map(({ wrong }) => wrong === undefined)).toEqual([false, true]);
});

test('an answer without streaming is parsed, and no key is required', async () => {
  const text = JSON.stringify(one);
  const answers: Record<string, object> = {
    '/v1/chat/completions': {
      choices: [{ index: 0, message: { role: 'assistant', content: text }, finish_reason: 'stop' }],
      usage: { prompt_tokens: 7, completion_tokens: Number.MAX_VALUE },
    },
    '/v1/messages': {
      type: 'message',
      id: 'm',
      model: 'm',
      role: 'assistant',
      content: [{ type: 'text', text }],
      stop_reason: 'end_turn',
      usage: { input_tokens: 7, output_tokens: 3 },
    },
    '/v1beta/models/gemini-x:generateContent': {
      candidates: [{ content: { role: 'model', parts: [{ text }] }, finishReason: 'STOP' }],
      usageMetadata: { promptTokenCount: 7, candidatesTokenCount: 3 },
    },
  };
  const server = createServer((request: IncomingMessage, response) => {
    const answer = answers[request.url ?? ''];
    response.writeHead(answer ? 200 : 404, { 'content-type': 'application/json' });
    response.end(JSON.stringify(answer ?? {}));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const models = createModels({
    providers: { claude: { baseUrl }, openai: { baseUrl }, gemini: { baseUrl } },
    allowedModels: [],
  });
  onTestFinished(async () => {
    await models.close();
    server.close();
  });
  for (const provider of ['claude', 'openai', 'gemini'] as const) {
    const choice = { provider, model: provider === 'gemini' ? 'gemini-x' : 'm' };
    const answer = await models.ask({ choice, instructions: '', parts: [{ text: 'x' }], schema: findings });
    expect(answer.data).toEqual(one);
    expect(answer.usage.promptTokens).toBe(7);
  }
});

test('an unreachable server is unavailable', async () => {
  const fake = await fakeModels(() => ({ text: '' }));
  const baseUrl = fake.url('claude');
  await fake.close();
  const models = createModels({
    providers: { claude: { baseUrl }, openai: {}, gemini: {} },
    allowedModels: [],
    backoffMs: 1,
  });
  const choice = { provider: 'claude', model: 'm' } as const;
  expect(await failure(models.ask({ choice, instructions: '', parts: [{ text: 'x' }] }))).toMatchObject({
    kind: 'unavailable',
    message: `The connection to the provider at ${baseUrl} failed (ECONNREFUSED).`,
  });
  await models.close();
});

test.each<[ModelProvider, string | undefined, string]>([
  ['openai', undefined, 'https://api.openai.com/v1'],
  ['openai', 'http://localhost:11434', 'http://localhost:11434/v1'],
  ['claude', 'https://api.anthropic.com/', 'https://api.anthropic.com/v1'],
  ['gemini', 'http://127.0.0.1:1', 'http://127.0.0.1:1/v1beta'],
  ['openai', 'http://gateway/openai/v1/', 'http://gateway/openai/v1'],
])('requests to %s at %s go to %s', (provider, baseUrl, address) => {
  expect(addressOf(provider, baseUrl)).toBe(address);
});
