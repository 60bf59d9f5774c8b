import { ApiError } from '../../lib/errors.ts';
import { BadBackup } from '../backup/archive.ts';
import type { Outcome } from '../terminal/outcome.ts';

/** Does the work of a command. What the operator can mend is said in a sentence; all else is thrown. */
export async function explained(work: () => Promise<Outcome>): Promise<Outcome> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof ApiError || error instanceof BadBackup)
      return { output: `${error.message}\n`, exitCode: 1 };
    throw error;
  }
}
