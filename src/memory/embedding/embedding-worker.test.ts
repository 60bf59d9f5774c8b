import { sql } from 'kysely';
import { pino } from 'pino';
import { expect, onTestFinished, test } from 'vitest';
import { newWorkspace, type TestWorkspace, testApp } from '../../../test/service/harness.ts';
import { type Embedder, EmbedFailure } from '../../outside/embed/vectors/embedder.ts';
import { embedWaiting, restAfter, startEmbedding } from './embedding-worker.ts';

const ADD = '/v2/memory/judgments/add';
const actionUser = { userId: 'ana' };
const judgment = { organizationId: 'acme', decision: 'reject', reasoning: 'Too long.', actionUser };

interface State {
  judgmentId: string;
  embeddedWith: string;
  words: string | null;
  kinds: string[];
}

async function statesOf({ apiKeyId }: TestWorkspace): Promise<State[]> {
  const { deps } = await testApp();
  const { rows } = await sql<State>`
    select judgment_id, embedded_with, review_words::text as words,
      (select coalesce(jsonb_agg(kind order by kind), '[]') from judgment_vectors as vectors
        where vectors.api_key_id = judgments.api_key_id and vectors.judgment_id = judgments.judgment_id
          and vectors.model = judgments.embedded_with) as kinds
    from judgments where api_key_id = ${apiKeyId} order by judgment_id`.execute(deps.db);
  return rows;
}

/** The model of the service, except that it refuses texts with this word. */
async function refusing(word: string, refuse: (place: number) => EmbedFailure): Promise<Embedder> {
  const { current } = (await testApp()).deps.outside.embeddings;
  return {
    model: current.model,
    embedQuery: current.embedQuery,
    async embed(texts, options) {
      const place = texts.findIndex((text) => text.includes(word));
      if (place >= 0) throw refuse(place);
      return await current.embed(texts, options);
    },
  };
}

const withEmbedder = async (current: Embedder) => {
  const { deps } = await testApp();
  return { ...deps, outside: { embeddings: { current } } };
};

test('judgments get vectors of their reasoning and content, and new ones after a change', async () => {
  const { deps } = await testApp();
  const w = await newWorkspace();
  const { model } = deps.outside.embeddings.current;
  await w.post(ADD, {
    judgments: [
      { ...judgment, id: 'both', content: 'A headline.' },
      { ...judgment, id: 'review' },
    ],
  });
  const embedding = startEmbedding(deps, { pollEveryMs: 20, apiKeyId: w.apiKeyId });
  onTestFinished(() => embedding.stop());
  await expect
    .poll(() => statesOf(w), { timeout: 300_000 })
    .toMatchObject([
      { judgmentId: 'both', embeddedWith: model, words: expect.any(String), kinds: ['content', 'review'] },
      { judgmentId: 'review', embeddedWith: model, kinds: ['review'] },
    ]);
  await embedding.stop();
  await w.post(ADD, { judgments: [{ ...judgment, id: 'both', reasoning: 'Of another tone.' }] });
  expect((await statesOf(w))[0]).toEqual({ judgmentId: 'both', embeddedWith: '', words: null, kinds: [] });
  await embedWaiting(deps, w);
  expect((await statesOf(w))[0]).toMatchObject({ embeddedWith: model, kinds: ['review'] });
});

test('a text that the model rejects does not hold up other judgments, and is found by its words', async () => {
  const w = await newWorkspace();
  const add = () =>
    w.post(ADD, {
      judgments: ['one', 'two', 'three'].map((id) => ({
        ...judgment,
        id,
        content: id === 'two' ? 'unspeakable' : 'plain',
      })),
    });
  for (const namesPlace of [true, false]) {
    const refuse = (place: number) => new EmbedFailure('rejected', 'No.', namesPlace ? { place } : {});
    await add();
    await embedWaiting(await withEmbedder(await refusing('unspeakable', refuse)), w);
    expect((await statesOf(w)).map(({ kinds }) => kinds)).toEqual([
      ['content', 'review'],
      ['content', 'review'],
      ['review'],
    ]);
  }
});

test('during an outage of the model judgments have words and wait; a change of the model replaces their vectors', async () => {
  const { deps } = await testApp();
  const w = await newWorkspace();
  await w.post(ADD, { judgments: [{ ...judgment, id: 'one' }] });
  const down = await withEmbedder(await refusing('', () => new EmbedFailure('unavailable', 'Down.')));
  await expect(embedWaiting(down, w)).rejects.toThrow('Down.');
  expect(await statesOf(w)).toMatchObject([{ embeddedWith: '', words: expect.stringContaining('long') }]);
  await embedWaiting(deps, w);
  await sql`update judgments set embedded_with = 'older:model' where api_key_id = ${w.apiKeyId}`.execute(
    deps.db,
  );
  await sql`update judgment_vectors set model = 'older:model' where api_key_id = ${w.apiKeyId}`.execute(
    deps.db,
  );
  const lines: object[] = [];
  const log = pino({ base: undefined }, { write: (line: string) => void lines.push(JSON.parse(line)) });
  await embedWaiting({ ...deps, log }, w);
  const { model } = deps.outside.embeddings.current;
  expect(await statesOf(w)).toMatchObject([{ embeddedWith: model, kinds: ['review'] }]);
  expect(lines).toMatchObject([
    { model, msg: expect.stringContaining('re-embedding judgments') },
    { renewed: 1, msg: expect.stringContaining('re-embedded all') },
  ]);
});

test('a process that is busy with requests rests after a batch, for a limited time, and an idle one does not', () => {
  const idle = 0.5;
  expect(restAfter({ batchMs: 300, thread: 0.2, idle })).toBe(0);
  expect(restAfter({ batchMs: 300, thread: 0.9, idle })).toBeGreaterThan(300);
  expect(restAfter({ batchMs: 60_000, thread: 1, idle })).toBeLessThan(60_000);
});

test('without idle processors, fewer requests make a process busy; other programs alone do not', () => {
  expect(restAfter({ batchMs: 300, thread: 0.35, idle: 0.5 })).toBe(0);
  expect(restAfter({ batchMs: 300, thread: 0.35, idle: 0.02 })).toBeGreaterThan(300);
  expect(restAfter({ batchMs: 300, thread: 0.05, idle: 0 })).toBe(0);
});
