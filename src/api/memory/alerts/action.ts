import { z } from 'zod';
import { write } from '../../../http/endpoint.ts';
import { alertId } from '../../../shapes/memory/memory-insight.ts';
import { endAlert } from '../../../store/memory/alerts.ts';

export default write({
  path: '/v2/memory/alerts/action',
  auth: 'apiKey',
  summary: 'Mark an alert as handled.',
  description: 'The same alert is not raised again for 30 days.',
  data: z.object({ alertId }).meta({ examples: [{ alertId: 'alert_1a2B3cD4eF5gH6jK7mN8' }] }),
  result: z.object({ success: z.literal(true) }),
  envelope: 'bare',
  message: '',
  failures: { NOT_FOUND: 'The alert does not exist.' },

  async handle({ alertId }, { tx, caller }) {
    await endAlert(tx, caller, alertId, { status: 'actioned', by: '' });
    return { success: true as const };
  },
});
