import type { Db } from '../../db/tables.ts';
import type { Keyring } from '../../lib/crypto.ts';
import { resealMetadata, resealSecrets } from '../../review/agents/agent-secrets.ts';
import { resealRunAuth } from '../../review/agents/page-auth-secrets.ts';
import {
  forgetEarlierKeys,
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
import { recordForService } from '../setup/run-operation.ts';

/** Seals every stored secret with the current master key. Can be interrupted and run again. */
export async function rotateKeys(db: Db, keyring: Keyring): Promise<string> {
  const workspaces = await resealWorkspaceTokens(db, keyring);
  const tokens = await resealApiKeyTokens(db, keyring);
  const responses = await resealStoredResponses(db, keyring);
  const signing = await resealSigningKeys(db, keyring);
  const services = await resealServiceSecrets(db, keyring);
  const endpoints = await resealEndpointSecrets(db, keyring);
  const configs = await resealApiKeyConfigs(db, keyring);
  const versions = await resealAgentVersions(db, (behavior, owner) =>
    resealSecrets(behavior, keyring, owner),
  );
  const agents = await resealAgents(db, (metadata, owner) => resealMetadata(metadata, keyring, owner));
  const runs = await resealRuns(db, (auth, owner) => resealRunAuth(auth, keyring, owner));
  const keys = await forgetEarlierKeys(db, keyring);
  await recordForService(db, 'redpen keys rotate', {
    action: 'master_key.rotated',
    id: keyring.currentKeyId,
  });
  return [
    `Sealed with the master key ${keyring.currentKeyId}:`,
    `  ${workspaces} workspace tokens`,
    `  ${tokens} API key tokens`,
    `  ${signing} keys that sign user tokens`,
    `  ${configs} API key configurations`,
    `  ${services} secrets of services`,
    `  ${endpoints} endpoints of webhooks`,
    `  ${versions} agent versions`,
    `  ${agents} agents with metadata`,
    `  ${runs} runs with credentials for their pages`,
    `  ${responses} answers kept for idempotency keys`,
    keys > 0
      ? `${keys} earlier master keys are not needed any more; take them out of REDPEN_MASTER_KEY_PREVIOUS.`
      : 'No earlier master key was in use.',
    '',
  ].join('\n');
}
