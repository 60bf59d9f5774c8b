/** True in `npm run test:all`, which also runs dear tests of what seldom breaks: `test.runIf(isThorough)`. */
export const isThorough = process.env.SUITE_ROUNDS === 'all';

/**
 * How often a test kills, interrupts or fuzzes: a few times in `npm test`, more often in `npm run test:all`. A variable
 * of the environment, such as `KILLS=50`, chooses any other number for a long run.
 */
export function rounds(few: number, all: number, variable: string): number {
  const asked = Number(process.env[variable]);
  if (asked > 0) return asked;
  return isThorough ? all : few;
}
