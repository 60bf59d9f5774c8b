import { json } from '../db/json.ts';
import type { Db, Tx } from '../db/tables.ts';
import { deepMerge } from '../lib/deep-merge.ts';
import type { Scope } from '../lib/scope.ts';
import { type ActivityConfig, commentTriggers } from '../shapes/activity.ts';

const SERVICE = 'activity';
const NEVER_CONFIGURED: ActivityConfig = { isEnabled: false };

export async function getActivityConfig(db: Db | Tx, { apiKeyId }: Scope): Promise<ActivityConfig> {
  const row = await select(db, apiKeyId).executeTakeFirst();
  return (row?.config as ActivityConfig | undefined) ?? NEVER_CONFIGURED;
}

/** Lays a change over what is stored. Who turns it on for the first time gets the triggers of comments. */
export async function updateActivityConfig(
  tx: Tx,
  { apiKeyId }: Scope,
  change: ActivityConfig,
): Promise<ActivityConfig> {
  const now = Date.now();
  const fresh = { apiKeyId, service: SERVICE, config: json({ ...NEVER_CONFIGURED }), updatedAt: now };
  // There must be a row to hold, or else two first changes at once would not see each other.
  await tx
    .insertInto('serviceConfigs')
    .values(fresh)
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  const row = await select(tx, apiKeyId).forUpdate().executeTakeFirstOrThrow();
  const stored = row.config as ActivityConfig;
  const isFirst = change.isEnabled === true && stored.triggers === undefined;
  const next = deepMerge(isFirst ? { ...seed(now), ...stored } : stored, change) as ActivityConfig;
  await tx
    .updateTable('serviceConfigs')
    .set({ config: json<Record<string, unknown>>(next), updatedAt: now })
    .where('apiKeyId', '=', apiKeyId)
    .where('service', '=', SERVICE)
    .execute();
  return next;
}

const select = (db: Db | Tx, apiKeyId: string) =>
  db
    .selectFrom('serviceConfigs')
    .select('config')
    .where('apiKeyId', '=', apiKeyId)
    .where('service', '=', SERVICE);

const seed = (now: number): ActivityConfig => ({
  enabledTime: now,
  immutable: true,
  triggers: { comment: Object.fromEntries(commentTriggers.map((name) => [name, true])) },
});
