import type { ReplicaState } from '../../db/connections/replica.ts';
import { asSentence, type Finding, failed, ok, sizeInWords, skipped } from './check.ts';
import type { Opened } from './check-database.ts';

const ADVICE =
  'DATABASE_REPLICA_URL must name streaming standbys of the server of DATABASE_URL, with the same role and database. Until then its reads go to the server itself.';

/** The finding about replicas as they are now. */
export function judgeReplicas(states: readonly ReplicaState[]): Finding {
  const failing = states.filter(({ fault }) => fault !== undefined);
  if (failing.length === 0) {
    const names = states.map(({ name, lagBytes }) =>
      lagBytes === 0 ? name : `${name} (${sizeInWords(lagBytes)} behind)`,
    );
    return ok(`Reads go to ${names.join(', ')}.`);
  }
  const found = failing.map(({ name, fault }) => asSentence(`${name}: ${fault}`)).join(' ');
  return failed(
    found,
    ADVICE,
    `${failing.length} of ${states.length} read replicas cannot be used (DATABASE_REPLICA_URL); reads go to other servers.`,
  );
}

/** Connects to the replicas. */
export async function checkReplicas(opened: Opened): Promise<Finding> {
  if (opened.kind !== 'open') return skipped('The database cannot be inspected.');
  const { replicas } = opened.database;
  if (replicas === undefined)
    return skipped('DATABASE_REPLICA_URL is not set: all reads go to the server itself.');
  await replicas.look();
  return judgeReplicas(replicas.states());
}
