import { availableParallelism } from 'node:os';
import type { Database } from '../../db/connections/connect.ts';
import type { Settings } from '../../deps.ts';

/** The embedded server shares the processors of this machine with request handling. */
export function contendedTurns({ kind, requestConnections }: Database): Settings['contendedTurns'] {
  const processors = availableParallelism();
  return {
    max: kind === 'embedded' ? 2 * processors : requestConnections,
    min: Math.ceil(processors / 2),
  };
}
