import { invalidArgument } from '../../src/lib/errors.ts';
import type { ClientDocuments } from '../../src/outside/oauth/client-documents.ts';
import { EXAMPLE_REQUEST } from '../../src/shapes/identity/oauth.ts';

const EXAMPLE = {
  clientId: EXAMPLE_REQUEST.clientId,
  name: 'Example Assistant',
  uri: 'https://assistant.example.com/',
  redirectUris: [EXAMPLE_REQUEST.redirectUri],
};

/** The clients of the shared service: the one of the examples, and those on loopback. No name is looked up. */
export const stagedClients = (clients: ClientDocuments): ClientDocuments => ({
  async read(clientId) {
    if (clientId === EXAMPLE.clientId) return EXAMPLE;
    const host = URL.parse(clientId)?.hostname ?? '';
    if (/^(127\.[\d.]+|localhost)$/.test(host)) return await clients.read(clientId);
    throw invalidArgument('The tests know no client at this address.');
  },
});
