import type { Db, Tx } from '../../db/tables.ts';
import { deepMerge } from '../../lib/deep-merge.ts';
import type { Scope } from '../../lib/scope.ts';
import { type ActivityConfig, commentTriggers } from '../../shapes/activity.ts';
import { changeServiceConfig, getServiceConfig, type ServiceConfig } from '../platform/service-configs.ts';

const NEVER_CONFIGURED: ActivityConfig = { isEnabled: false };

export async function getActivityConfig(db: Db, scope: Scope): Promise<ActivityConfig> {
  return activityConfigOf(await getServiceConfig(db, scope, 'activity'));
}

export const activityConfigOf = (stored: ServiceConfig | undefined): ActivityConfig =>
  stored?.config ?? NEVER_CONFIGURED;

/** Merges a change into the stored config. The first activation adds all triggers of comments. */
export async function updateActivityConfig(
  tx: Tx,
  scope: Scope,
  change: ActivityConfig,
): Promise<ActivityConfig> {
  const { config } = await changeServiceConfig(tx, scope, 'activity', (before) => {
    const stored: ActivityConfig = before?.config ?? NEVER_CONFIGURED;
    const isFirst = change.isEnabled === true && stored.triggers === undefined;
    return {
      config: deepMerge(isFirst ? { ...initialConfig(), ...stored } : stored, change),
      secretSealed: null,
    };
  });
  return config;
}

const initialConfig = (): ActivityConfig => ({
  enabledTime: Date.now(),
  immutable: true,
  triggers: { comment: Object.fromEntries(commentTriggers.map((name) => [name, true])) },
});
