import { expect, test } from 'vitest';
import { newWorkspace, testApp } from '../../../test/service/harness.ts';
import { type EmbeddedJudgment, writeVectors } from './judgment-embedding.ts';
import { deleteJudgments, listJudgments } from './judgments.ts';

const ADD = '/v2/memory/judgments/add';
const ids = Array.from({ length: 30 }, (_, index) => `judgment-${index}`);
const backwards = ids.toReversed();

test('imports, revocations and vectors of the same judgments never deadlock, in whatever order', async () => {
  const { deps } = await testApp();
  const w = await newWorkspace();
  const add = async (some: readonly string[]) => {
    const judgments = some.map((id) => ({
      id,
      decision: 'reject',
      reasoning: 'No.',
      actionUser: { userId: 'ana' },
    }));
    return (await w.post(ADD, { judgments })).status;
  };
  const embed = async (some: readonly string[]) => {
    const rows = await listJudgments(deps.db, w, {}, {}, 500);
    const recorded = new Map(rows.map((row) => [row.judgmentId, row.recordedAt]));
    const items = some.map(
      (judgmentId): EmbeddedJudgment => ({
        apiKeyId: w.apiKeyId,
        judgmentId,
        recordedAt: recorded.get(judgmentId) ?? 0,
        review: ['no'],
        content: undefined,
        vectors: [],
      }),
    );
    await writeVectors(deps.db, 'some:model', items);
    return 200;
  };
  const revoke = async (some: readonly string[]) => {
    await deps.db.transaction().execute((tx) => deleteJudgments(tx, w, some));
    return 200;
  };
  expect(await add(ids)).toBe(200);
  for (let round = 0; round < 3; round++) {
    const done = await Promise.all([
      add(ids),
      add(backwards),
      embed(ids),
      embed(backwards),
      add(backwards),
      revoke(backwards),
      add(ids),
    ]);
    expect(done).toEqual(done.map(() => 200));
  }
});
