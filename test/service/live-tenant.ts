import { HocuspocusProvider, HocuspocusProviderWebsocket } from '@hocuspocus/provider';
import { Doc } from 'yjs';
import { ownTenant, type Tenant } from './own-tenant.ts';
import type { Service } from './service.ts';

export interface LiveTenant extends Tenant {
  /** A token of a user who may edit the document `home` of `acme`, or only view it. */
  token(userId: string, accessRole?: 'editor' | 'viewer'): Promise<string>;
}

/** Creates a tenant with a document to edit. */
export async function newLiveTenant(service: () => Service): Promise<LiveTenant> {
  const tenant = await ownTenant(service);
  await tenant.must('/v2/organizations/documents/add', {
    organizationId: 'acme',
    documents: [{ documentId: 'home' }],
  });
  return {
    ...tenant,
    async token(userId, accessRole = 'editor') {
      const { token } = await tenant.must('/v2/auth/generate_token', {
        userId,
        userProperties: { name: userId, email: `${userId}@example.com` },
        permissions: { resources: [{ type: 'organization', id: 'acme', accessRole }] },
      });
      return token;
    },
  };
}

/** A client that types words one after the other, and knows which of them are acknowledged. */
export interface Typist {
  document: Doc;
  provider: HocuspocusProvider;
  type(): void;
  /** The words that the server has acknowledged. */
  acknowledged(): string[];
  close(): void;
}

export function newTypist(url: string, token: string, name: string, editorId = 'body'): Typist {
  const document = new Doc();
  const websocketProvider = new HocuspocusProviderWebsocket({
    url: `${url.replace('http:', 'ws:')}/v2/realtime`,
    delay: 100,
    minDelay: 50,
    maxDelay: 500,
  });
  const provider = new HocuspocusProvider({
    websocketProvider,
    name: `acme/home/${editorId}`,
    document,
    token,
  });
  provider.attach();
  const typed: string[] = [];
  let saved = 0;
  // Each word is one message, and messages are acknowledged in their order.
  provider.on('unsyncedChanges', ({ number }: { number: number }) => {
    if (provider.isSynced) saved = Math.max(saved, typed.length - number);
  });
  return {
    document,
    provider,
    type() {
      const word = `[${name}:${typed.length}]`;
      typed.push(word);
      document.getText('content').insert(document.getText('content').length, word);
    },
    acknowledged: () => typed.slice(0, saved),
    close() {
      provider.destroy();
      websocketProvider.destroy();
    },
  };
}
