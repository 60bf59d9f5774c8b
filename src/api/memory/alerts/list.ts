import { z } from 'zod';
import { read } from '../../../http/endpoint.ts';
import { memoryAlert } from '../../../shapes/memory/memory-insight.ts';
import { listAlerts } from '../../../store/memory/alerts.ts';

const MAX = 50;

export default read({
  path: '/v2/memory/alerts/list',
  auth: 'apiKey',
  summary: 'List active alerts, newest first, at most 50.',
  description:
    'An alert reports a change in how reviewers decide. It expires after 30 days if it is not dismissed.',
  data: z.object({}),
  result: z.array(memoryAlert),
  envelope: 'bare',
  message: '',

  async handle(_, { db, caller }) {
    return await listAlerts(db, caller, MAX);
  },
});
