import { expect, test } from 'vitest';
import { embedJudgments } from './embed-judgments.ts';

test('a text that several judgments share is embedded once, and each of them gets its vectors', async () => {
  const embedded: string[] = [];
  const embedder = {
    model: 'made-up',
    embedQuery: async () => Float32Array.of(1, 0),
    async embed(texts: readonly string[]) {
      embedded.push(...texts);
      return texts.map((text) => [Float32Array.of(text.length, 1)]);
    },
  };
  const waiting = (judgmentId: string, content: string | null) => ({
    ...{ apiKeyId: 'key', judgmentId, decision: 'approve', reasoning: '', content },
    ...{ recordedAt: 1, embeddedWith: '' },
  });
  const judgments = [waiting('one', null), waiting('two', 'A headline.'), waiting('three', 'A headline.')];
  const [one, two, three] = await embedJudgments(embedder, judgments, new AbortController().signal);
  expect(embedded).toEqual(['approved', 'A headline.']);
  expect(two!.vectors.map(({ kind }) => kind)).toEqual(['review', 'content']);
  expect(three!.vectors).toEqual(two!.vectors);
  expect(one!.vectors).toEqual(two!.vectors.slice(0, 1));
});
