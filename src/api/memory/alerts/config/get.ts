import { z } from 'zod';
import { read } from '../../../../http/endpoint.ts';
import { showAlertConfig } from '../../../../memory/insights/alert-config.ts';
import { memoryAlertConfig } from '../../../../shapes/memory/memory-insight.ts';
import { getServiceConfig } from '../../../../store/platform/service-configs.ts';

export default read({
  path: '/v2/memory/alerts/config/get',
  auth: 'apiKey',
  summary: 'Get the alert settings.',
  description: 'Alerts are enabled by default. memory/alerts/list returns the alerts.',
  data: z.object({}),
  result: memoryAlertConfig,
  envelope: 'bare',
  message: '',

  async handle(_, { db, caller }) {
    return showAlertConfig(await getServiceConfig(db, caller, 'memoryAlerts'));
  },
});
