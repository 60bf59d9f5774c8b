import { expect, test } from 'vitest';
import { judge } from '../../../test/memory/judged-history.ts';
import { newWorkspace, testApp } from '../../../test/service/harness.ts';
import type { Embedder } from '../../outside/embed/vectors/embedder.ts';
import { collectRecords } from '../collect-records.ts';
import { suggestDecision } from '../suggestions/suggest.ts';
import { queryVector } from './query-vectors.ts';

/** A model that records its queries. */
function counting(model = 'counting', dimensions = 2) {
  const queries: string[] = [];
  let isDown = false;
  const embedder: Embedder = {
    model,
    embed: async () => [],
    async embedQuery(text) {
      queries.push(text);
      if (isDown) throw new Error('Down.');
      return new Float32Array(dimensions).fill(1, 0, 1);
    },
  };
  const down = (is: boolean) => {
    isDown = is;
  };
  return { embedder, queries, down };
}

const one = { apiKeyId: 'one' };

test('each model embeds a query of an API key once, and again after a failure', async () => {
  const now = counting();
  const earlier = counting('earlier');
  const first = await queryVector(now.embedder, one, 'a');
  expect(await queryVector(now.embedder, one, 'a')).toBe(first);
  await queryVector(now.embedder, one, 'b');
  expect(now.queries).toEqual(['a', 'b']);
  for (const text of ['a', 'a']) await queryVector(earlier.embedder, one, text);
  expect(earlier.queries).toEqual(['a']);

  now.down(true);
  await expect(queryVector(now.embedder, one, 'c')).rejects.toThrow('Down.');
  now.down(false);
  expect(await queryVector(now.embedder, one, 'c')).toHaveLength(2);
});

test('an API key cannot tell by the time of a search what another one has searched for', async () => {
  const { embedder, queries } = counting();
  for (const apiKeyId of ['one', 'other', 'one']) await queryVector(embedder, { apiKeyId }, 'a secret');
  expect(queries).toHaveLength(2);
});

test('the least recently used vectors make room for new ones', async () => {
  const { embedder, queries } = counting('long', 300_000);
  for (const text of ['a', 'b', 'c', 'a', 'd', 'a', 'b']) await queryVector(embedder, one, text);
  expect(queries).toEqual(['a', 'b', 'c', 'd', 'b']);
});

test('a question and a suggestion embed their query once', async () => {
  const { deps } = await testApp();
  const w = await newWorkspace();
  await judge(w, [{ organizationId: 'o', reasoning: 'The heading is fine.' }]);
  const { embedder, queries } = counting();
  const recall = {
    db: deps.db,
    scorer: deps.scorer,
    embeddings: { ...deps.outside.embeddings, current: embedder },
  };
  const place = { organizationId: 'o', documentId: 'd' };
  await collectRecords(recall, w, { question: 'headings?', place, filters: {}, byTime: false });
  expect(queries).toEqual(['headings?']);
  await suggestDecision(recall, w, { query: 'a heading', place });
  expect(queries).toEqual(['headings?', 'a heading']);
});
