import { z } from 'zod';
import { write } from '../../../http/endpoint.ts';
import { showDomain, showDomains } from '../../../lib/allowed-domain.ts';
import { ApiError } from '../../../lib/errors.ts';
import { storedDomains } from '../../../shapes/workspace.ts';
import { lockConfig, saveDomains } from '../../../store/platform/stored-key-config.ts';

const MESSAGE = 'Domain(s) removed successfully from allowed domains.';

export default write({
  path: '/v2/workspace/domains/delete',
  auth: 'apiKey',
  role: 'owner',
  availableWhenFull: true,
  summary: 'Remove domains from those on whose pages user tokens work.',
  description:
    'Pages of these domains may no longer use user tokens, unless another entry includes them. The last domain is different: without any, nothing is restricted, so its removal lets pages of every origin use user tokens. To move to another domain, add that one first.',
  data: z.object({ domains: storedDomains }).meta({ examples: [{ domains: ['app.example.com'] }] }),
  result: z.object({ domainsRemoved: z.array(z.string()) }),
  message: MESSAGE,
  failures: { NOT_FOUND: 'Some domains do not exist: `details` lists them. The others were removed.' },
  audit: {
    action: 'domain.removed',
    of: (_data, { domainsRemoved }, { apiKeyId }) =>
      domainsRemoved.length > 0 ? { id: apiKeyId, after: { domainsRemoved } } : [],
  },

  async handle({ domains }, { tx, caller, revoke }) {
    // Cached credentials of user tokens include the allowed domains.
    revoke(caller.apiKeyId);
    const { allowedDomains } = await lockConfig(tx, caller);
    // Results omit schemes, so a domain is removed with every scheme.
    const asked = showDomains(domains);
    const present = showDomains(allowedDomains);
    const domainsRemoved = asked.filter((domain) => present.includes(domain));
    const skippedDomains = asked.filter((domain) => !present.includes(domain));
    await saveDomains(
      tx,
      caller,
      allowedDomains.filter((domain) => !domainsRemoved.includes(showDomain(domain))),
    );
    if (skippedDomains.length > 0) {
      const details = { domainsRemoved, skippedDomains };
      throw new ApiError('NOT_FOUND', `${MESSAGE} Skipped non-existing domains.`, { details, commits: true });
    }
    return { domainsRemoved };
  },
});
