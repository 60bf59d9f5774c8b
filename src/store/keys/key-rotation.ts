import { sql } from 'kysely';
import { json } from '../../db/sql-fragments.ts';
import type { Db, Tx } from '../../db/tables.ts';
import type { Binding, Keyring } from '../../lib/crypto.ts';
import { signingKeyBinding } from '../access/signing-keys.ts';
import { tokenBinding } from '../platform/api-keys.ts';
import { responseBinding } from '../platform/idempotency.ts';
import { serviceBinding } from '../platform/service-configs.ts';
import { resealConfig } from '../platform/stored-key-config.ts';
import { workspaceTokenBinding } from '../platform/workspaces.ts';
import { endpointBinding } from '../webhooks/endpoints.ts';

const BATCH = 200;

/**
 * Works through rows a batch at a time, each batch in a short transaction of its own: requests go on meanwhile,
 * and what was interrupted is done when it runs again. Answers how many rows changed.
 */
async function inBatches<Row>(
  db: Db,
  next: (tx: Tx, after: Row | undefined) => Promise<Row[]>,
  reseal: (tx: Tx, row: Row) => Promise<boolean>,
): Promise<number> {
  let changed = 0;
  let after: Row | undefined;
  for (;;) {
    const rows = await db.transaction().execute(async (tx) => {
      const batch = await next(tx, after);
      for (const row of batch) if (await reseal(tx, row)) changed += 1;
      return batch;
    });
    if (rows.length < BATCH) return changed;
    after = rows.at(-1);
  }
}

const again = (keyring: Keyring, sealed: string, binding: Binding): string =>
  keyring.seal(keyring.open(sealed, binding), binding);

const sealedByOther = (keyring: Keyring, column = 'token_sealed') =>
  sql<boolean>`${sql.ref(column)} not like ${`v1.${keyring.currentKeyId}.%`}`;

export const resealWorkspaceTokens = (db: Db, keyring: Keyring): Promise<number> =>
  inBatches(
    db,
    (tx) =>
      tx
        .selectFrom('workspaces')
        .select(['workspaceId', 'tokenSealed'])
        .where(sealedByOther(keyring))
        .limit(BATCH)
        .forUpdate()
        .execute(),
    async (tx, { workspaceId, tokenSealed }) => {
      await tx
        .updateTable('workspaces')
        .set({ tokenSealed: again(keyring, tokenSealed, workspaceTokenBinding(workspaceId)) })
        .where('workspaceId', '=', workspaceId)
        .execute();
      return true;
    },
  );

export const resealApiKeyTokens = (db: Db, keyring: Keyring): Promise<number> =>
  inBatches(
    db,
    (tx) =>
      tx
        .selectFrom('apiKeyTokens')
        .select(['apiKeyId', 'tokenHash', 'tokenSealed'])
        .where(sealedByOther(keyring))
        .limit(BATCH)
        .forUpdate()
        .execute(),
    async (tx, { apiKeyId, tokenHash, tokenSealed }) => {
      await tx
        .updateTable('apiKeyTokens')
        .set({ tokenSealed: again(keyring, tokenSealed, tokenBinding(apiKeyId, tokenHash)) })
        .where('apiKeyId', '=', apiKeyId)
        .where('tokenHash', '=', tokenHash)
        .execute();
      return true;
    },
  );

export const resealStoredResponses = (db: Db, keyring: Keyring): Promise<number> =>
  inBatches(
    db,
    (tx) =>
      tx
        .selectFrom('idempotencyKeys')
        .select(['caller', 'idempotencyKey', 'responseSealed'])
        .where(sealedByOther(keyring, 'response_sealed'))
        .limit(BATCH)
        .forUpdate()
        .execute(),
    async (tx, { caller, idempotencyKey, responseSealed }) => {
      const binding = responseBinding(caller, idempotencyKey);
      await tx
        .updateTable('idempotencyKeys')
        .set({ responseSealed: again(keyring, responseSealed!, binding) })
        .where('caller', '=', caller)
        .where('idempotencyKey', '=', idempotencyKey)
        .execute();
      return true;
    },
  );

export const resealApiKeyConfigs = (db: Db, keyring: Keyring): Promise<number> =>
  inBatches(
    db,
    (tx, after: { apiKeyId: string; config: Record<string, unknown> } | undefined) =>
      tx
        .selectFrom('apiKeys')
        .select(['apiKeyId', 'config'])
        .where(sql<boolean>`cast(config as text) like '%"sealed"%'`)
        .where('apiKeyId', '>', after?.apiKeyId ?? '')
        .orderBy('apiKeyId')
        .limit(BATCH)
        .forUpdate()
        .execute(),
    async (tx, { apiKeyId, config }) => {
      const resealed = resealConfig(keyring, apiKeyId, config);
      if (JSON.stringify(resealed) === JSON.stringify(config)) return false;
      await tx
        .updateTable('apiKeys')
        .set({ config: json(resealed) })
        .where('apiKeyId', '=', apiKeyId)
        .execute();
      return true;
    },
  );

export const resealSigningKeys = (db: Db, keyring: Keyring): Promise<number> =>
  inBatches(
    db,
    (tx) =>
      tx
        .selectFrom('signingKeys')
        .select(['keyId', 'privateSealed'])
        .where(sealedByOther(keyring, 'private_sealed'))
        .limit(BATCH)
        .forUpdate()
        .execute(),
    async (tx, { keyId, privateSealed }) => {
      await tx
        .updateTable('signingKeys')
        .set({ privateSealed: again(keyring, privateSealed, signingKeyBinding(keyId)) })
        .where('keyId', '=', keyId)
        .execute();
      return true;
    },
  );

export const resealServiceSecrets = (db: Db, keyring: Keyring): Promise<number> =>
  inBatches(
    db,
    (tx) =>
      tx
        .selectFrom('serviceConfigs')
        .select(['apiKeyId', 'service', 'secretSealed'])
        .where(sealedByOther(keyring, 'secret_sealed'))
        .limit(BATCH)
        .forUpdate()
        .execute(),
    async (tx, { apiKeyId, service, secretSealed }) => {
      await tx
        .updateTable('serviceConfigs')
        .set({ secretSealed: again(keyring, secretSealed!, serviceBinding(apiKeyId, service)) })
        .where('apiKeyId', '=', apiKeyId)
        .where('service', '=', service)
        .execute();
      return true;
    },
  );

export const resealEndpointSecrets = (db: Db, keyring: Keyring): Promise<number> =>
  inBatches(
    db,
    (tx) =>
      tx
        .selectFrom('webhookEndpoints')
        .select(['apiKeyId', 'endpointId', 'secretSealed', 'previousSecretSealed'])
        .where((eb) =>
          eb.or([sealedByOther(keyring, 'secret_sealed'), sealedByOther(keyring, 'previous_secret_sealed')]),
        )
        .limit(BATCH)
        .forUpdate()
        .execute(),
    async (tx, { apiKeyId, endpointId, secretSealed, previousSecretSealed }) => {
      const anew = (sealed: string | null, which: 'secret' | 'previous') =>
        sealed && again(keyring, sealed, endpointBinding(apiKeyId, endpointId, which));
      await tx
        .updateTable('webhookEndpoints')
        .set({
          secretSealed: anew(secretSealed, 'secret'),
          previousSecretSealed: anew(previousSecretSealed, 'previous'),
        })
        .where('apiKeyId', '=', apiKeyId)
        .where('endpointId', '=', endpointId)
        .execute();
      return true;
    },
  );

interface AgentOwner {
  apiKeyId: string;
  agentId: string;
}

interface AgentRow extends AgentOwner {
  metadata: Record<string, unknown>;
}

interface VersionRow extends AgentOwner {
  version: number;
  behavior: Record<string, unknown>;
}

/** Only `review` knows where a behavior holds secrets, so it hands in how they are sealed anew. */
export const resealAgentVersions = (
  db: Db,
  reseal: (behavior: Record<string, unknown>, owner: VersionRow) => Record<string, unknown> | undefined,
): Promise<number> =>
  inBatches(
    db,
    (tx, after: VersionRow | undefined) =>
      tx
        .selectFrom('agentVersions')
        .select(['apiKeyId', 'agentId', 'version', 'behavior'])
        .where(sql<boolean>`cast(behavior as text) like '%"sealed"%'`)
        .where(
          sql<boolean>`(api_key_id, agent_id, version) > (${after?.apiKeyId ?? ''}, ${after?.agentId ?? ''}, cast(${after?.version ?? 0} as integer))`,
        )
        .orderBy('apiKeyId')
        .orderBy('agentId')
        .orderBy('version')
        .limit(BATCH)
        .forUpdate()
        .execute(),
    async (tx, row) => {
      const behavior = reseal(row.behavior, row);
      if (!behavior) return false;
      await tx
        .updateTable('agentVersions')
        .set({ behavior: json(behavior) })
        .where('apiKeyId', '=', row.apiKeyId)
        .where('agentId', '=', row.agentId)
        .where('version', '=', row.version)
        .execute();
      return true;
    },
  );

/** The same for what agents hold beside their versions. */
export const resealAgents = (
  db: Db,
  reseal: (metadata: Record<string, unknown>, owner: AgentOwner) => Record<string, unknown> | undefined,
): Promise<number> =>
  inBatches(
    db,
    (tx, after: AgentRow | undefined) =>
      tx
        .selectFrom('agents')
        .select(['apiKeyId', 'agentId', 'metadata'])
        .where(sql<boolean>`cast(metadata as text) like '%"sealed"%'`)
        .where(sql<boolean>`(api_key_id, agent_id) > (${after?.apiKeyId ?? ''}, ${after?.agentId ?? ''})`)
        .orderBy('apiKeyId')
        .orderBy('agentId')
        .limit(BATCH)
        .forUpdate()
        .execute(),
    async (tx, row) => {
      const metadata = reseal(row.metadata, row);
      if (!metadata) return false;
      await tx
        .updateTable('agents')
        .set({ metadata: json(metadata) })
        .where('apiKeyId', '=', row.apiKeyId)
        .where('agentId', '=', row.agentId)
        .execute();
      return true;
    },
  );

/** Once nothing is sealed by them any more, the service may start without the earlier keys. */
export async function forgetEarlierKeys(db: Db, keyring: Keyring): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom('keyChecks')
    .where('keyId', '<>', keyring.currentKeyId)
    .executeTakeFirst();
  return Number(numDeletedRows);
}
