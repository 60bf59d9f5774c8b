import { deepMerge } from '../../lib/deep-merge.ts';
import { invalidArgument } from '../../lib/errors.ts';
import { storable } from '../../lib/text/cut-text.ts';
import {
  MAX_ALERT_CONFIG,
  type MemoryAlertConfig,
  memoryAlertConfig,
} from '../../shapes/memory/memory-insight.ts';
import type { ServiceConfig } from '../../store/platform/service-configs.ts';

/** Effective alert settings of an API key; enabled by default. */
export const showAlertConfig = (stored: ServiceConfig | undefined): MemoryAlertConfig =>
  memoryAlertConfig.parse({ enabled: true, ...stored?.config });

/** Merges a change into the stored settings; omitted fields stay as they are. */
export function changedAlertConfig(
  stored: ServiceConfig | undefined,
  change: Record<string, unknown>,
): Record<string, unknown> {
  const config = deepMerge(stored?.config ?? {}, change);
  if (JSON.stringify(config).length > MAX_ALERT_CONFIG) {
    throw invalidArgument(`All of config must take at most ${MAX_ALERT_CONFIG} characters of JSON.`);
  }
  return storable(config);
}
