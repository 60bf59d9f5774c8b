import { expect, test } from 'vitest';
import { newWorkspace, testApp } from '../../../test/harness.ts';
import { judge } from '../../../test/judged-history.ts';
import type { Embedder } from '../../outside/embed/vectors/embedder.ts';
import { collectRecords } from '../collect-records.ts';
import { suggestDecision } from '../suggestions/suggest.ts';
import { cacheQueryEmbeddings } from './cached-query-embeddings.ts';

/** A model that records its queries. */
function counting(model = 'counting') {
  const queries: string[] = [];
  let isDown = false;
  const embedder: Embedder = {
    model,
    embed: async () => [],
    async embedQuery(text) {
      queries.push(text);
      if (isDown) throw new Error('Down.');
      return Float32Array.of(1, 0);
    },
  };
  const down = (is: boolean) => {
    isDown = is;
  };
  return { embedder, queries, down };
}

test('each model embeds a query once, and again after a failure', async () => {
  const now = counting();
  const earlier = counting('earlier');
  const embeddings = cacheQueryEmbeddings({
    current: now.embedder,
    of: (model) => (model === 'earlier' ? earlier.embedder : undefined),
    close: async () => {},
  });
  const [one, other] = await Promise.all(['a', 'a'].map((text) => embeddings.current.embedQuery(text)));
  expect(one).toBe(other);
  await embeddings.current.embedQuery('b');
  expect(now.queries).toEqual(['a', 'b']);
  for (const text of ['a', 'a']) await embeddings.of('earlier')!.embedQuery(text);
  expect(earlier.queries).toEqual(['a']);
  expect(embeddings.of('unknown')).toBeUndefined();

  now.down(true);
  await expect(embeddings.current.embedQuery('c')).rejects.toThrow('Down.');
  now.down(false);
  expect(await embeddings.current.embedQuery('c')).toHaveLength(2);
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
