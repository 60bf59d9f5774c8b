import { z } from 'zod';
import type { Settings } from '../../deps.ts';
import { write } from '../../http/endpoint.ts';
import { isLoopback } from '../../http/request/own-address.ts';
import { failedPrecondition } from '../../lib/errors.ts';
import { networkOf } from '../../lib/network.ts';
import { countSignInMail, MAILS_PER_HOUR } from '../../store/identity/mail-limits.ts';
import { MAILED_LINK_MINUTES } from '../../store/identity/sign-in-links.ts';

export default write({
  path: '/v2/session/mail',
  auth: 'public',
  isConsole: true,
  summary: 'Mail a link that signs in to the console.',
  description: `The answer is the same for every address: a mail is sent only if the address is that of a person who may sign in, and at most ${MAILS_PER_HOUR} times an hour for the network of the client. The mail contains a link and a code of six digits for another browser, which are valid for ${MAILED_LINK_MINUTES} minutes and once. A mail that follows many others to the address has only the link, or is not sent, unless the person is signed in from that network.`,
  data: z.object({ email: z.email().max(320) }).meta({ examples: [{ email: 'ada@example.com' }] }),
  result: z.undefined(),
  message: 'If this address may sign in, a mail with a link is on its way.',
  rateLimit: {
    name: 'session.mail',
    perMinute: (settings) => Math.ceil(settings.signInRate / 6),
    message: 'Too many mails were asked for. Try again after 1 minute.',
  },
  failures: {
    PERMISSION_DENIED: 'The request comes from a page of another origin, or the console is turned off.',
    FAILED_PRECONDITION:
      'The service has no mail server, or runs behind a proxy and does not know its public address.',
  },

  async handle({ email }, { tx, jobs, settings, origin, client }) {
    if (!settings.sendsMail) {
      throw failedPrecondition(
        'This service sends no mail. Its operator gets a link with: npm run redpen -- console link EMAIL',
      );
    }
    const address = origin();
    requireOwnHost(address, settings);
    // The address itself is counted and not its account, so that the answer takes the same time for all.
    const network = networkOf(client.address);
    if (await countSignInMail(tx, email, network)) {
      await jobs.enqueue(tx, 'session.mail', { email, origin: address, network });
    }
    return undefined;
  },
});

/**
 * Throws FAILED_PRECONDITION if a stranger may have chosen the host of the link, which gets the code once the person follows
 * it: proxies pass on the Host header of any request.
 */
function requireOwnHost(address: string, { publicUrl, trustProxy, consoleHosts }: Settings): void {
  if (publicUrl !== undefined || trustProxy.length === 0) return;
  const hostname = URL.parse(address)?.hostname ?? '';
  if (isLoopback(hostname) || consoleHosts.includes(hostname)) return;
  throw failedPrecondition(
    'This service mails no links, because it does not know its public address: its operator sets REDPEN_PUBLIC_URL.',
  );
}
