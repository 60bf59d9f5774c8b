import { expect, test } from 'vitest';
import { isUnclassified } from './id-fields.ts';
import { distinct, operations } from './operations.ts';
import { fieldsOf } from './places.ts';
import { theStage, validBody } from './validate.ts';

test('the worlds hold all that there are operations to make', async () => {
  const { a, b } = await theStage();
  expect([...a.problems, ...b.problems]).toEqual([]);
}, 600_000);

test('every field that looks like an id is one of a known kind, or said to name nothing', () => {
  const places = operations.flatMap(({ path, request }) =>
    fieldsOf(request)
      .filter(({ place, schema }) => schema.type !== 'boolean' && isUnclassified(place))
      .map(({ place }) => `${path} ${place.join('.')}`),
  );
  expect(places).toEqual([]);
});

test.each(distinct)('a valid request to $path can be made from its schema', async (operation) => {
  expect(await validBody(operation, await theStage())).toBeDefined();
});
