import type { Db } from '../../db/tables.ts';
import type { Keyring } from '../../lib/crypto.ts';
import { resealMetadata, resealSecrets } from '../../review/agents/agent-secrets.ts';
import { resealRunAuth } from '../../review/agents/page-auth-secrets.ts';
import {
  resealAgents,
  resealAgentVersions,
  resealApiKeyConfigs,
  resealApiKeyTokens,
  resealEndpointSecrets,
  resealRuns,
  resealServiceSecrets,
  resealSigningKeys,
  resealStoredResponses,
  resealWorkspaceTokens,
} from '../../store/keys/key-rotation.ts';

/** Kinds of rows with secrets, in the words of the output, with the function that seals them again. */
const SEALED: readonly [string, (db: Db, keyring: Keyring) => Promise<number>][] = [
  ['workspace tokens', resealWorkspaceTokens],
  ['API key tokens', resealApiKeyTokens],
  ['keys that sign user tokens', resealSigningKeys],
  ['API key configurations', resealApiKeyConfigs],
  ['secrets of services', resealServiceSecrets],
  ['endpoints of webhooks', resealEndpointSecrets],
  [
    'agent versions',
    (db, keyring) => resealAgentVersions(db, (behavior, owner) => resealSecrets(behavior, keyring, owner)),
  ],
  [
    'agents with metadata',
    (db, keyring) => resealAgents(db, (metadata, owner) => resealMetadata(metadata, keyring, owner)),
  ],
  [
    'runs with credentials for their pages',
    (db, keyring) => resealRuns(db, (auth, owner) => resealRunAuth(auth, keyring, owner)),
  ],
  ['answers kept for idempotency keys', resealStoredResponses],
];

/** Seals every stored secret with the current master key. Returns how many of each kind were sealed by another one. */
export async function resealAll(db: Db, keyring: Keyring): Promise<Map<string, number>> {
  const counts = new Map(SEALED.map(([name]) => [name, 0]));
  // Until nothing is left: meanwhile, a row may have been stored that was sealed before.
  for (let isWhole = false; !isWhole; ) {
    isWhole = true;
    for (const [name, reseal] of SEALED) {
      const count = await reseal(db, keyring);
      counts.set(name, counts.get(name)! + count);
      if (count > 0) isWhole = false;
    }
  }
  return counts;
}
