import type { Configuration, Document } from '@hocuspocus/server';
import type { Awareness } from 'y-protocols/awareness';
import { paceBroadcasts } from '../document/pace-broadcasts.ts';
import type { Session } from '../protocol/session.ts';
import { type SyncCheckDeps, syncCheckOf } from './check-sync.ts';

interface HookDeps extends SyncCheckDeps {
  load(document: Document): Promise<void>;
  /** Unloads a document some time after its last change. */
  keepOpen(document: Document): void;
}

/** Disconnected clients whose awareness clock is remembered, so that their late messages are recognized. */
const REMEMBERED_CLIENTS = 1_000;

const NOTHING_TO_DO = Promise.resolve();
const doNothing = () => NOTHING_TO_DO;

/** The Hocuspocus hooks. Hocuspocus awaits every hook on every message, so unused hooks are left undefined. */
export function hooksOf(deps: HookDeps): Partial<Configuration<Session>> {
  const { load, keepOpen, openEditorOf, limits } = deps;
  const checkSync = syncCheckOf(deps);

  return {
    onConnect: undefined,
    beforeHandleMessage: undefined,
    afterHandleMessage: undefined,
    beforeBroadcastStateless: undefined,
    onStateless: undefined,
    onChange: undefined,
    onStoreDocument: undefined,
    afterStoreDocument: undefined,
    onAwarenessUpdate: undefined,
    onDisconnect: undefined,
    onCreateDocument: undefined,

    async onAuthenticate({ token, documentName, context, connectionConfig }) {
      const { user, readOnly } = await context.client.authorize(documentName, token);
      connectionConfig.readOnly = readOnly;
      return { user, token };
    },
    async onTokenSync({ token, connection, context }) {
      await context.client.renew(connection, token);
    },
    async onLoadDocument({ document }) {
      await load(document);
    },
    async afterLoadDocument({ document }) {
      // In place of the callback that prepares the hooks for every change, with a URL and headers, though there is none.
      document.onUpdate((_, origin) => {
        if (isOfConnection(origin)) keepOpen(document);
      });
      paceBroadcasts(document);
    },
    async connected({ connection, context }) {
      const { document } = connection;
      // The document was dropped while the client connected; its changes would be neither stored nor broadcast.
      if (document.isDestroyed || openEditorOf(document)?.isGone) context.client.close('busy');
      else {
        // Called directly from now on; as hooks they cost as much as handling a small message.
        connection.beforeHandleMessage(doNothing).afterHandleMessage(doNothing).beforeSync(checkSync);
        context.client.opened(connection);
      }
    },
    beforeSync: ({ connection, type, payload }) => checkSync(connection, { type, payload }),
    async beforeHandleAwareness({ states, connection, document, context }) {
      if (!connection) return;
      const session = context as Session;
      const own = document.connections.get(connection)?.clients;
      if (states.size + (own?.size ?? 0) > 2 * limits.awarenessClients) {
        states.clear();
        session.client.close('presenceTooLarge');
        return;
      }
      forgetDisconnected(document.awareness);
      for (const clientId of states.keys()) {
        if (own?.has(clientId)) continue;
        const owner = openEditorOf(document)?.owners.get(clientId);
        const isTaken = owner !== undefined && owner !== session.user?.userId;
        // A user must not speak for another user's client.
        if (isTaken || (own?.size ?? 0) >= limits.awarenessClients) states.delete(clientId);
      }
    },
    async beforeUnloadDocument({ document }) {
      // The document was dropped already, and a successor may have its name. Undefined, because Hocuspocus prints errors.
      if (openEditorOf(document)?.isGone) throw undefined;
    },
  };
}

/** y-protocols never forgets a client. */
function forgetDisconnected({ meta, states }: Awareness): void {
  if (meta.size <= states.size + REMEMBERED_CLIENTS) return;
  for (const clientId of meta.keys()) if (!states.has(clientId)) meta.delete(clientId);
}

const isOfConnection = (origin: unknown): boolean =>
  (origin as { source?: unknown } | null | undefined)?.source === 'connection';
