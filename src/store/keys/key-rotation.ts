import { sql } from 'kysely';
import { condition, json } from '../../db/sql-fragments.ts';
import type { Db, Tx } from '../../db/tables.ts';
import type { Binding, Keyring } from '../../lib/crypto.ts';
import type { Fields } from '../../lib/json.ts';
import type { StoredPageAuth } from '../../shapes/agents/page-auth.ts';
import type { RunRequest } from '../../shapes/agents/run.ts';
import { signingKeyBinding } from '../access/signing-keys.ts';
import { tokenBinding } from '../platform/api-keys.ts';
import { responseBinding } from '../platform/idempotency.ts';
import { serviceBinding } from '../platform/service-configs.ts';
import { resealConfig } from '../platform/stored-key-config.ts';
import { workspaceTokenBinding } from '../platform/workspaces.ts';
import { endpointBinding } from '../webhooks/endpoints.ts';

const BATCH = 200;

/**
 * Reseals rows in batches, each in a short transaction, so that requests are not blocked and an interrupted rotation
 * continues on the next run. Returns the number of changed rows.
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

const sealAgain = (keyring: Keyring, sealed: string, binding: Binding): string =>
  keyring.seal(keyring.open(sealed, binding), binding);

/** True for values that another key than the current one sealed. */
const sealedByOther = (keyring: Keyring, column = 'token_sealed') =>
  condition`${sql.ref(column)} not like ${`v1.${keyring.currentKeyId}.%`}`;

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
        .set({ tokenSealed: sealAgain(keyring, tokenSealed, workspaceTokenBinding(workspaceId)) })
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
        .set({ tokenSealed: sealAgain(keyring, tokenSealed, tokenBinding(apiKeyId, tokenHash)) })
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
        .set({ responseSealed: sealAgain(keyring, responseSealed!, binding) })
        .where('caller', '=', caller)
        .where('idempotencyKey', '=', idempotencyKey)
        .execute();
      return true;
    },
  );

export const resealApiKeyConfigs = (db: Db, keyring: Keyring): Promise<number> =>
  inBatches(
    db,
    (tx, after: { apiKeyId: string; config: Fields } | undefined) =>
      tx
        .selectFrom('apiKeys')
        .select(['apiKeyId', 'config'])
        .where(condition`cast(config as text) like '%"sealed"%'`)
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
        .set({ privateSealed: sealAgain(keyring, privateSealed, signingKeyBinding(keyId)) })
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
        .set({ secretSealed: sealAgain(keyring, secretSealed!, serviceBinding(apiKeyId, service)) })
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
      const resealed = (sealed: string | null, which: 'secret' | 'previous') =>
        sealed && sealAgain(keyring, sealed, endpointBinding(apiKeyId, endpointId, which));
      await tx
        .updateTable('webhookEndpoints')
        .set({
          secretSealed: resealed(secretSealed, 'secret'),
          previousSecretSealed: resealed(previousSecretSealed, 'previous'),
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
  metadata: Fields;
}

interface VersionRow extends AgentOwner {
  version: number;
  behavior: Fields;
}

/** `reseal` is handed in, because only `review` knows where a behavior holds secrets; undefined means unchanged. */
export const resealAgentVersions = (
  db: Db,
  reseal: (behavior: Fields, owner: VersionRow) => Fields | undefined,
): Promise<number> =>
  inBatches(
    db,
    (tx, after: VersionRow | undefined) =>
      tx
        .selectFrom('agentVersions')
        .select(['apiKeyId', 'agentId', 'version', 'behavior'])
        .where(condition`cast(behavior as text) like '%"sealed"%'`)
        .where((eb) =>
          eb(
            eb.refTuple('apiKeyId', 'agentId', 'version'),
            '>',
            eb.tuple(after?.apiKeyId ?? '', after?.agentId ?? '', after?.version ?? 0),
          ),
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

interface RunRow {
  apiKeyId: string;
  executionId: string;
  request: RunRequest;
}

/** Credentials of runs, which are stored until a run ends. */
export const resealRuns = (
  db: Db,
  reseal: (auth: StoredPageAuth, owner: RunRow) => StoredPageAuth | undefined,
): Promise<number> =>
  inBatches(
    db,
    (tx, after: RunRow | undefined) =>
      tx
        .selectFrom('executions')
        .select(['apiKeyId', 'executionId', 'request'])
        .where('status', '=', 'running')
        .where(condition`request #> '{auth,sealed}' is not null`)
        .where((eb) =>
          eb(
            eb.refTuple('apiKeyId', 'executionId'),
            '>',
            eb.tuple(after?.apiKeyId ?? '', after?.executionId ?? ''),
          ),
        )
        .orderBy('apiKeyId')
        .orderBy('executionId')
        .limit(BATCH)
        .forUpdate()
        .execute(),
    async (tx, row) => {
      const auth = row.request.auth && reseal(row.request.auth, row);
      if (!auth) return false;
      await tx
        .updateTable('executions')
        .set({ request: json({ ...row.request, auth }) })
        .where('apiKeyId', '=', row.apiKeyId)
        .where('executionId', '=', row.executionId)
        .execute();
      return true;
    },
  );

/** Does the same for the metadata of agents. */
export const resealAgents = (
  db: Db,
  reseal: (metadata: Fields, owner: AgentOwner) => Fields | undefined,
): Promise<number> =>
  inBatches(
    db,
    (tx, after: AgentRow | undefined) =>
      tx
        .selectFrom('agents')
        .select(['apiKeyId', 'agentId', 'metadata'])
        .where(condition`cast(metadata as text) like '%"sealed"%'`)
        .where((eb) =>
          eb(eb.refTuple('apiKeyId', 'agentId'), '>', eb.tuple(after?.apiKeyId ?? '', after?.agentId ?? '')),
        )
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

/** Deletes the checks of earlier keys, so that the service starts without them. Nothing may be sealed by them. */
export async function forgetEarlierKeys(db: Db, keyring: Keyring): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom('keyChecks')
    .where('keyId', '<>', keyring.currentKeyId)
    .executeTakeFirst();
  return Number(numDeletedRows);
}
