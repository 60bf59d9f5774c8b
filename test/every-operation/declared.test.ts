import { expect, test } from 'vitest';
import { distinct } from './operations.ts';
import { undeclaredIn } from './undeclared.ts';
import { ask, runAndRestore, sharedStage, validBody } from './validate.ts';

/** Fields of records that contain what callers or services store there, with further fields of any name. */
const FREE: readonly RegExp[] = [];

test('every field of every answer is declared', async () => {
  const stage = await sharedStage();
  const undeclared: string[] = [];
  for (const operation of distinct) {
    const body = await validBody(operation, stage);
    const [{ status, body: answer }] = await runAndRestore(stage, () => ask(operation, stage.a, body));
    if (status !== 200) continue;
    for (const field of new Set(undeclaredIn(operation.success, answer, true))) {
      const place = `${operation.path} ${field}`;
      if (!FREE.some((free) => free.test(place))) undeclared.push(place);
    }
  }
  expect(undeclared).toEqual([]);
}, 600_000);
