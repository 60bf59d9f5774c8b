import { z } from 'zod';
import { write } from '../../../http/endpoint.ts';
import { showDomains as shown } from '../../../lib/allowed-domain.ts';
import { ApiError } from '../../../lib/errors.ts';
import { domains } from '../../../shapes/workspace.ts';
import { lockConfig, saveDomains } from '../../../store/platform/stored-key-config.ts';

const MESSAGE = 'Domain(s) added successfully to allowed domains.';

export default write({
  path: '/v2/workspace/domains/add',
  auth: 'apiKey',
  role: 'owner',
  summary: 'Add domains to those on whose pages user tokens work.',
  description:
    'A user token is refused in requests whose `Origin` header names another domain. Requests without that header, and those with the token of the API key, are not affected. Without any domain, pages of every origin may use user tokens, so the first domain excludes all others.',
  data: z.object({ domains }).meta({ examples: [{ domains: ['app.example.com'] }] }),
  result: z.object({ domainsAdded: z.array(z.string()) }),
  message: MESSAGE,
  failures: { ALREADY_EXISTS: 'Some domains already exist: `details` lists them. The others were added.' },
  audit: {
    action: 'domain.added',
    of: (_data, { domainsAdded }, { apiKeyId }) =>
      domainsAdded.length > 0 ? { id: apiKeyId, after: { domainsAdded } } : [],
  },

  async handle({ domains }, { tx, caller, revoke }) {
    // Cached credentials of user tokens include the allowed domains.
    revoke(caller.apiKeyId);
    const { allowedDomains } = await lockConfig(tx, caller);
    const asked = [...new Set(domains)];
    const added = asked.filter((domain) => !allowedDomains.includes(domain));
    const skipped = asked.filter((domain) => allowedDomains.includes(domain));
    await saveDomains(tx, caller, [...allowedDomains, ...added]);
    if (skipped.length > 0) {
      const details = { domainsAdded: shown(added), skippedDomains: shown(skipped) };
      throw new ApiError('ALREADY_EXISTS', `${MESSAGE} Skipped existing domains.`, {
        details,
        commits: true,
      });
    }
    return { domainsAdded: shown(added) };
  },
});
