import { expect, test } from 'vitest';
import { replicaReads } from '../../src/db/connections/replica-metrics.ts';
import { isUnclassified } from './id-fields.ts';
import { distinct, operations } from './operations.ts';
import { fieldsOf } from './places.ts';
import { sharedStage, validBody } from './validate.ts';

test('both worlds are created without a problem', async () => {
  const { a, b } = await sharedStage();
  expect([...a.problems, ...b.problems]).toEqual([]);
}, 600_000);

test('every field that looks like an id has a known kind, or is listed as free', () => {
  const places = operations.flatMap(({ path, request }) =>
    fieldsOf(request)
      .filter(({ place, schema }) => schema.type !== 'boolean' && isUnclassified(place))
      .map(({ place }) => `${path} ${place.join('.')}`),
  );
  expect(places).toEqual([]);
});

test.each(distinct)('a valid request to $path can be built from its schema', async (operation) => {
  expect(await validBody(operation, await sharedStage())).toBeDefined();
});

// Only a run with replicas can tell, in which nothing can be written.
test.runIf(process.env.DATABASE_REPLICA_URL)('no operation that reads writes', async () => {
  await sharedStage();
  const counted = Object.fromEntries(
    (await replicaReads.get()).values.map(({ labels, value }) => [labels.outcome, value]),
  );
  expect(counted.replica).toBeGreaterThan(distinct.length / 4);
  expect(counted.writes ?? 0).toBe(0);
});
