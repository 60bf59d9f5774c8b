import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Agent } from 'undici';
import { expect, onTestFinished, test } from 'vitest';
import { type FakeOptions, fakeModels } from '../../../test/fakes/models/fake-models.ts';
import { listModels } from './list-models.ts';
import type { ModelProvider } from './models.ts';

function options() {
  const dispatcher = new Agent();
  onTestFinished(() => dispatcher.destroy());
  return { dispatcher, signal: new AbortController().signal };
}

async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener).listen(0, '127.0.0.1');
  await new Promise((done) => server.once('listening', done));
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const headerOfKey: [ModelProvider, string, string][] = [
  ['claude', 'x-api-key', 'the-key'],
  ['openai', 'authorization', 'Bearer the-key'],
  ['gemini', 'x-goog-api-key', 'the-key'],
];

test.each(headerOfKey)(
  '%s is asked for its models with the key in a header',
  async (provider, header, value) => {
    const fake = await fakeModels(() => ({ text: '' }), { lists: { names: ['one', 'two'] } });
    onTestFinished(() => fake.close());
    const access = { apiKey: 'the-key', baseUrl: fake.url(provider) };
    const list = await listModels(provider, access, options());
    expect(list).toEqual({ kind: 'listed', names: ['one', 'two'], date: expect.any(String) });
    expect(fake.requests[0]!.headers[header]).toBe(value);
    expect(fake.requests[0]!.path).not.toContain('the-key');
  },
);

test.each<[ModelProvider, (next: string) => object, string]>([
  ['claude', (id) => ({ data: [{ id }], has_more: id === 'a', last_id: id }), 'after_id=a'],
  [
    'gemini',
    (name) => ({ models: [{ name: `models/${name}` }], ...(name === 'a' && { nextPageToken: 'a' }) }),
    'pageToken=a',
  ],
])('%s is asked for all pages of its list', async (provider, page, query) => {
  const url = await serve((request, response) =>
    response.end(JSON.stringify(page(request.url!.includes(query) ? 'b' : 'a'))),
  );
  expect(await listModels(provider, { baseUrl: url }, options())).toMatchObject({ names: ['a', 'b'] });
});

test.each<[string, object, FakeOptions['lists']]>([
  ['refuses the key', { kind: 'key-refused', status: 401 }, { names: [], status: 401 }],
  ['forbids the key', { kind: 'key-refused', status: 403 }, { names: [], status: 403 }],
  ['has no list', { kind: 'unlisted', status: 404 }, undefined],
  ['fails', { kind: 'failed', reason: 'It answers with HTTP 503' }, { names: [], status: 503 }],
  ['lists names with terminal escapes', { names: ['x'] }, { names: ['\x1b[2J', 'x'] }],
])('a server that %s results in %j', async (_what, expected, lists) => {
  const fake = await fakeModels(() => ({ text: '' }), lists && { lists });
  onTestFinished(() => fake.close());
  expect(await listModels('openai', { baseUrl: fake.url('openai') }, options())).toMatchObject(expected);
});

test('an unreachable server is a failure, and one that does not answer with JSON has no list', async () => {
  expect(await listModels('openai', { baseUrl: 'http://127.0.0.1:9' }, options())).toEqual({
    kind: 'failed',
    reason: 'The connection to the provider at http://127.0.0.1:9/v1 failed (ECONNREFUSED)',
    date: undefined,
  });
  const url = await serve((_request, response) => response.end('<html>'));
  expect(await listModels('openai', { baseUrl: url }, options())).toMatchObject({ kind: 'unlisted' });
});

test('if REDPEN_MODEL is not set, a missing model is reported with the models that the server has', async () => {
  const fake = await fakeModels(() => ({ status: 404, message: 'model not found, try pulling it first' }), {
    lists: { names: ['nomic-embed-text', 'qwen3', 'llama3.2'] },
  });
  onTestFinished(() => fake.close());
  const ask = (model: string) =>
    fake.models.ask({ choice: { provider: 'openai', model }, instructions: '', parts: [{ text: 'x' }] });
  await expect(ask('gpt-5.6-luna')).rejects.toMatchObject({
    kind: 'rejected',
    message:
      'The provider refused the request (404: model not found, try pulling it first). REDPEN_MODEL is not set. Set REDPEN_MODEL=openai/qwen3, or to openai/llama3.2.',
  });
  // A caller who named the model needs no hint.
  await expect(ask('gpt-4')).rejects.toMatchObject({ message: expect.not.stringContaining('REDPEN_MODEL') });
});
