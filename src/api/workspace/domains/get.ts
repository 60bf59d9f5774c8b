import { z } from 'zod';
import { read } from '../../../http/endpoint.ts';
import { showDomains } from '../../../lib/allowed-domain.ts';
import { getConfig } from '../../../store/platform/stored-key-config.ts';

export default read({
  path: '/v2/workspace/domains/get',
  auth: 'apiKey',
  summary: 'List the domains on whose pages user tokens work.',
  description: 'If the list is empty, pages of every origin may use user tokens.',
  data: z.object({}),
  dataOptional: true,
  result: z.object({ allowedDomains: z.array(z.string()) }),
  message: 'Allowed domains retrieved successfully.',

  async handle(_data, { db, caller }) {
    const { allowedDomains } = await getConfig(db, caller);
    return { allowedDomains: showDomains(allowedDomains) };
  },
});
