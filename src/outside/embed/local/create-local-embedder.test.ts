import { expect, test } from 'vitest';
import { testApp } from '../../../../test/service/harness.ts';
import type { Embedder } from '../vectors/embedder.ts';
import { loadModel } from './local-model.ts';
import { windowsOf } from './token-windows.ts';

const local = async (): Promise<Embedder> => (await testApp()).deps.outside.embeddings.current;
const cosine = (one: Float32Array, other: Float32Array) =>
  one.reduce((sum, value, at) => sum + value * other[at]!, 0);

const texts = [
  'The contrast of the login button is too low to be read.',
  'Fix',
  'ERR_4031 in XJ-2231 (see RFC 9110 § 15.5.4)',
  'Der Knopf zum Anmelden ist auf dunklem Grund kaum zu lesen, und die Überschrift fehlt.',
  '価格は税込みで表示してください。',
  'שלום עולם',
  '🎉🚀',
  '',
  'A heading of level four follows one of level two. '.repeat(9),
];

test('vectors are close to those of the full-precision model, whatever the other texts of the batch', async () => {
  const exact = await loadModel('float32');
  const found = await (await local()).embed(texts);
  for (const [at, text] of texts.entries()) {
    const [window] = windowsOf(exact.tokenize(text, 1_000));
    const [vector] = found[at]!;
    expect(cosine(vector!, await exact.run([window!])), text).toBeGreaterThan(0.98);
    expect(cosine(vector!, vector!)).toBeCloseTo(1, 5);
    expect(cosine(vector!, (await (await local()).embed([text]))[0]![0]!), text).toBeCloseTo(1, 5);
  }
  await exact.close();
});

test('texts of similar meaning have similar vectors', async () => {
  const embedder = await local();
  const query = await embedder.embedQuery('unreadable sign-in control');
  const [[same], [other]] = (await embedder.embed([texts[0]!, 'Prices must include taxes.'])) as [
    [Float32Array],
    [Float32Array],
  ];
  expect(cosine(query, same)).toBeGreaterThan(cosine(query, other) + 0.2);
});

test('any text gets vectors, for as much of it as the limit of tokens allows', async () => {
  const embedder = await local();
  const strange = ['\0', '\ud83d', '\u202eabc', 'x'.repeat(1_000_000), 'لا '.repeat(100), '[CLS][PAD]'];
  for (const [vector] of await embedder.embed(strange)) {
    expect(vector).toHaveLength(384);
    expect(cosine(vector!, vector!)).toBeCloseTo(1, 5);
  }
  const prefix = 'The first word counts. ';
  const [long, beginning] = await embedder.embed([
    prefix + 'word '.repeat(1_000_000),
    prefix + 'word '.repeat(400),
  ]);
  expect(long).toHaveLength(32);
  expect(beginning).toHaveLength(2);
  expect(cosine(long![0]!, beginning![0]!)).toBeCloseTo(1, 5);
  expect(cosine(await embedder.embedQuery(prefix + 'word '.repeat(400)), long![1]!)).toBeGreaterThan(0.8);
  expect(await embedder.embed([])).toEqual([]);
});

test('a query is answered before texts that were queued earlier', async () => {
  const embedder = await local();
  const order: string[] = [];
  await Promise.all([
    embedder.embed(new Array(300).fill('a text that is stored')).then(() => order.push('stored')),
    embedder.embedQuery('a query').then(() => order.push('query')),
  ]);
  expect(order).toEqual(['query', 'stored']);
});

test('queries that come together have the vectors that each has alone', async () => {
  const embedder = await local();
  const together = await Promise.all([...texts, ...texts].map((text) => embedder.embedQuery(text)));
  for (const [at, text] of texts.entries()) {
    const alone = await embedder.embedQuery(text);
    expect(cosine(together[at]!, alone), text).toBeCloseTo(1, 5);
    expect(cosine(together[at + texts.length]!, alone), text).toBeCloseTo(1, 5);
  }
});

test('an aborted request is dropped, and others are answered', async () => {
  const embedder = await local();
  const all = new AbortController();
  const aborted = embedder.embed(new Array(100).fill('not wanted'), { signal: all.signal });
  const other = embedder.embed(['wanted']);
  setImmediate(() => all.abort());
  await expect(aborted).rejects.toMatchObject({ name: 'EmbedFailure', kind: 'aborted' });
  expect(await other).toHaveLength(1);
  await expect(embedder.embedQuery('late', { signal: AbortSignal.abort() })).rejects.toMatchObject({
    kind: 'aborted',
  });
});
