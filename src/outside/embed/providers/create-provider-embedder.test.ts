import { expect, onTestFinished, test } from 'vitest';
import { type EmbeddingReply, fakeEmbeddings } from '../../../../test/fakes/models/fake-embeddings.ts';
import { until } from '../../../../test/run/until.ts';
import { createEmbeddings } from '../create-embeddings.ts';

const KEY = 'sk-a-key-of-the-operator';

async function start(
  script: (texts: string[], number: number) => EmbeddingReply,
  { choice = 'openai:text-embedding-3-small', hasKey = true } = {},
) {
  const apiKey = hasKey ? KEY : undefined;
  const fake = await fakeEmbeddings(script);
  const embeddings = createEmbeddings({
    choice,
    providers: {
      openai: { apiKey, baseUrl: fake.url('openai') },
      gemini: { apiKey, baseUrl: fake.url('gemini') },
    },
    backoffMs: 1,
  });
  onTestFinished(async () => {
    await embeddings.close();
    await fake.close();
  });
  return { ...embeddings, requests: fake.requests };
}

/** Vectors that distinguish texts by their length. */
const byLength = (texts: string[]): number[][] => texts.map((text) => [text.length, 1, 0]);
const vector = (...numbers: number[]) => {
  const length = Math.hypot(...numbers);
  return Float32Array.from(numbers, (number) => number / length);
};

test.each(['openai', 'gemini'])('requests vectors from %s in batches and in order', async (provider) => {
  const { current, requests } = await start(byLength, { choice: `${provider}:a-model` });
  const texts = Array.from({ length: 40 }, (_, at) => 'x'.repeat(at + 1));
  const found = await current.embed(texts);
  expect(current.model).toBe(`${provider}:a-model`);
  expect(requests.map((request) => request.texts)).toEqual([texts.slice(0, 32), texts.slice(32)]);
  expect(requests[0]).toMatchObject({ model: 'a-model', key: KEY });
  for (const [at, windows] of found.entries()) expect(windows).toEqual([vector(at + 1, 1, 0)]);
  expect(await current.embedQuery('xx')).toEqual(vector(2, 1, 0));
});

test('long texts are sent in windows, and invalid characters are replaced', async () => {
  const { current, requests } = await start(byLength);
  const [long, blank, strange, endless] = await current.embed([
    'word '.repeat(600),
    ' \n',
    'a\0b\ud83d',
    '字'.repeat(1_000_000),
  ]);
  expect(long!.length).toBeGreaterThan(1);
  expect(blank).toHaveLength(1);
  expect(strange).toHaveLength(1);
  expect(endless).toHaveLength(32);
  const sent = requests.flatMap((request) => request.texts);
  expect(sent.slice(0, long!.length).every((text) => /^word( word)*$/.test(text))).toBe(true);
  expect(sent.slice(long!.length, long!.length + 2)).toEqual(['.', 'a b\ufffd']);
  expect(await current.embedQuery('word '.repeat(600))).toHaveLength(3);
});

test('a request is retried after a rate limit or a failure, and finally rejected with the reason', async () => {
  const replies: EmbeddingReply[] = [
    { status: 429, headers: { 'retry-after-ms': '1' } },
    { status: 500 },
    [[3, 4]],
    { status: 429, headers: { 'retry-after': '3600' } },
    { status: 503 },
    { status: 503 },
    { status: 503 },
    { status: 401 },
  ];
  const { current, requests } = await start((_texts, number) => replies[number]!);
  expect(await current.embedQuery('a')).toEqual(vector(3, 4));
  await expect(current.embedQuery('a')).rejects.toMatchObject({
    kind: 'rate-limited',
    retryAfterMs: 3_600_000,
  });
  await expect(current.embedQuery('a')).rejects.toMatchObject({ kind: 'unavailable' });
  await expect(current.embedQuery('a')).rejects.toMatchObject({ kind: 'rejected' });
  expect(requests).toHaveLength(replies.length);
});

test.each<[string, EmbeddingReply, string]>([
  ['too few vectors', [[1, 2]], 'rejected'],
  ['vectors of different lengths', [[1, 2], [1]], 'rejected'],
  ['vectors without numbers', [[], []], 'rejected'],
  [
    'vectors without a direction',
    [
      [0, 0],
      [0, 0],
    ],
    'rejected',
  ],
  [
    'numbers that are too large',
    [
      [1e300, 1],
      [1, 1],
    ],
    'rejected',
  ],
  [
    'a page',
    { status: 200, headers: { 'content-type': 'text/html' }, body: '<p>Sign in</p>' },
    'unavailable',
  ],
  ['another answer', { status: 200, body: '{"data":"none"}' }, 'unavailable'],
  ['a redirect', { status: 302, headers: { location: 'http://127.0.0.1:9/' } }, 'rejected'],
])('an answer with %s is rejected', async (_what, reply, kind) => {
  const { current } = await start(() => reply);
  await expect(current.embed(['a', 'b'])).rejects.toMatchObject({ name: 'EmbedFailure', kind });
});

test('a request ends when its caller aborts', async () => {
  const { current, requests } = await start(() => 'hang');
  const caller = new AbortController();
  const pending = current.embed(['a'], { signal: caller.signal });
  await until(() => requests.length > 0, 'the request');
  caller.abort();
  await expect(pending).rejects.toMatchObject({ kind: 'aborted' });
});

test('a server of the operator needs no key', async () => {
  const { current, requests } = await start(byLength, { hasKey: false });
  await current.embedQuery('a');
  expect(requests[0]!.key).not.toBe(KEY);
});

test('models of configured providers are available, and a missing key is reported with its setting', async () => {
  const embeddings = createEmbeddings({
    choice: 'openai:text-embedding-3-small',
    providers: { openai: {}, gemini: { apiKey: KEY } },
  });
  onTestFinished(() => embeddings.close());
  await expect(embeddings.current.embedQuery('a')).rejects.toMatchObject({
    kind: 'not-configured',
    message: expect.stringContaining('OPENAI_API_KEY'),
  });
  expect(embeddings.of('openai:text-embedding-3-small')).toBeUndefined();
  expect(embeddings.of('gemini:gemini-embedding-001')?.model).toBe('gemini:gemini-embedding-001');
  expect(embeddings.of('local:all-MiniLM-L6-v2-int8')?.model).toBe('local:all-MiniLM-L6-v2-int8');
  expect(embeddings.of('local:another')).toBeUndefined();
});
