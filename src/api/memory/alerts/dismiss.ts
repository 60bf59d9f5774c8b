import { z } from 'zod';
import { write } from '../../../http/endpoint.ts';
import { userId } from '../../../shapes/id-fields.ts';
import { alertId } from '../../../shapes/memory/memory-insight.ts';
import { endAlert } from '../../../store/memory/alerts.ts';

export default write({
  path: '/v2/memory/alerts/dismiss',
  auth: 'apiKey',
  availableWhenFull: true,
  summary: 'Dismiss an alert.',
  description: 'The same alert is not raised again for 30 days.',
  data: z
    .object({
      alertId,
      user: z.object({ uid: userId }).optional().describe('User who dismisses the alert.'),
    })
    .meta({ examples: [{ alertId: 'alert_1a2B3cD4eF5gH6jK7mN8', user: { uid: 'eve' } }] }),
  result: z.object({ success: z.literal(true) }),
  envelope: 'bare',
  message: '',
  failures: { NOT_FOUND: 'The alert does not exist.' },

  async handle({ alertId, user }, { tx, caller }) {
    await endAlert(tx, caller, alertId, { status: 'dismissed', by: user?.uid ?? '' });
    return { success: true as const };
  },
});
