import { BaseSequencer, type TestSpecification } from 'vitest/node';

/**
 * The slowest test files by folder; they spend much of the time waiting. Those that share a service and a browser follow each
 * other.
 */
const SLOW = [
  '/test/e2e/',
  '/test/web/',
  '/test/overlay/',
  '/test/client/',
  '/src/roles/carry-over/',
  '/test/every-operation/',
  '/test/list-plans',
  '/src/postgres/',
];

const rankOf = ({ moduleId }: TestSpecification): number => {
  const rank = SLOW.findIndex((folder) => moduleId.includes(folder));
  return rank === -1 ? SLOW.length : rank;
};

/**
 * Starts the slowest files first, so that the run does not end with one worker still busy. Ranks by folder, since a
 * first run has no recorded durations.
 */
export class SlowFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    return sorted.toSorted((a, b) => rankOf(a) - rankOf(b));
  }
}
