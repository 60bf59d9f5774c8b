import { readdirSync } from 'node:fs';
import { expect, test } from 'vitest';
import { JOBS } from './index.ts';

test('every file of a job is in the list, and has the name of its job', () => {
  const files = readdirSync(import.meta.dirname).filter((file) => !/^index\.|\.test\.ts$/.test(file));
  const expected = JOBS.map(({ name }) => `${name.replaceAll(/[._]/g, '-')}.ts`);
  expect(expected.toSorted()).toEqual(files.toSorted());
});
