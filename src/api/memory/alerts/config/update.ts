import { z } from 'zod';
import { configOf } from '../../../../http/audit-targets.ts';
import { write } from '../../../../http/endpoint.ts';
import { changedAlertConfig } from '../../../../memory/insights/alert-config.ts';
import { memoryAlertConfigChange } from '../../../../shapes/memory/memory-insight.ts';
import { changeServiceConfig } from '../../../../store/platform/service-configs.ts';

export default write({
  path: '/v2/memory/alerts/config/update',
  auth: 'apiKey',
  summary: 'Change the alert settings.',
  description: 'Fields that are not sent keep their values.',
  data: z
    .object({ config: memoryAlertConfigChange })
    .meta({ examples: [{ config: { maxAlertsPerWeek: 1, severityThreshold: 'medium' } }] }),
  result: z.object({ success: z.literal(true) }),
  envelope: 'bare',
  message: '',
  audit: { action: 'memory.config_changed', before: configOf('memoryAlerts') },

  async handle({ config }, { tx, caller }) {
    await changeServiceConfig(tx, caller, 'memoryAlerts', (stored) => ({
      config: changedAlertConfig(stored, config),
      secretSealed: stored?.secretSealed ?? null,
    }));
    return { success: true as const };
  },
});
