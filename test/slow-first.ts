import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Folders whose files take longest, and much of that by waiting. */
const SLOW = [
  '/test/e2e/',
  '/src/roles/carry-over/',
  '/test/every-operation/',
  '/test/list-plans',
  '/src/postgres/',
];

const rankOf = ({ moduleId }: TestSpecification): number => {
  const rank = SLOW.findIndex((folder) => moduleId.includes(folder));
  return rank === -1 ? SLOW.length : rank;
};

/** Begins with what takes longest, so that no worker is left alone with it in the end, in a first run too. */
export class SlowFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    return sorted.toSorted((one, other) => rankOf(one) - rankOf(other));
  }
}
