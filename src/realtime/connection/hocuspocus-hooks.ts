import type { Configuration, Document } from '@hocuspocus/server';
import type { Awareness } from 'y-protocols/awareness';
import { encodeStateAsUpdate } from 'yjs';
import { noteWork } from '../../lib/threads/watchdog.ts';
import { applyInTurn, takesLong } from '../document/apply-in-parts.ts';
import type { OpenEditor } from '../document/open-editor.ts';
import { checkUpdate, onlyDeletes } from '../document/update-guard.ts';
import type { AppendLog } from '../log/append-log.ts';
import type { Cause } from '../protocol/close-codes.ts';
import type { Limits } from '../protocol/realtime-limits.ts';
import type { Session } from '../protocol/session.ts';
import { syncKinds } from './hocuspocus-message.ts';

interface HookDeps {
  load(document: Document): Promise<void>;
  openEditorOf(document: object): OpenEditor | undefined;
  log: Pick<AppendLog, 'isFull' | 'add'>;
  limits: Limits;
  /** Checks the quota before more bytes are stored. */
  refusalOf(bytes: number): Cause | undefined;
}

const RECOUNT_EVERY_MS = 5_000;
/** Disconnected clients whose awareness clock is remembered, so that their late messages are recognized. */
const REMEMBERED_CLIENTS = 1_000;

/** The Hocuspocus hooks. Hocuspocus awaits every hook on every message, so unused hooks are left undefined. */
export function hooksOf({
  load,
  openEditorOf,
  log,
  limits,
  refusalOf,
}: HookDeps): Partial<Configuration<Session>> {
  const countedAt = new WeakMap<OpenEditor, number>();

  const isTooLarge = (editor: OpenEditor, more: number): boolean => {
    if (editor.bytes + more <= limits.documentBytes) return false;
    const now = Date.now();
    if (now - (countedAt.get(editor) ?? 0) < RECOUNT_EVERY_MS) return true;
    countedAt.set(editor, now);
    editor.bytes = encodeStateAsUpdate(editor.document).length;
    return editor.bytes + more > limits.documentBytes;
  };

  const check = (editor: OpenEditor, update: Uint8Array): Cause | undefined => {
    if (editor.isGone) return 'deleted';
    if (log.isFull()) return 'busy';
    const cause = checkUpdate(editor, update, limits);
    // A client without changes sends deletions that are known already. They must pass, so that it can continue to
    // read.
    if (cause || onlyDeletes(update)) return cause;
    return isTooLarge(editor, update.length) ? 'documentTooLarge' : refusalOf(update.length);
  };

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
    async connected({ connection, context }) {
      const { document } = connection;
      // The document was dropped while the client connected; its changes would be neither stored nor broadcast.
      if (document.isDestroyed || openEditorOf(document)?.isGone) context.client.close('busy');
      else context.client.opened(connection);
    },
    async beforeSync({ type, payload, document, connection, context }) {
      noteWork('live document: message');
      const editor = openEditorOf(document);
      // No helper function: another hook could continue between its end and the start of this update.
      while (editor?.applying) await editor.applying.catch(() => {});
      if (type === syncKinds.step1 || connection.readOnly || !editor) return;
      const cause = check(editor, payload);
      if (!cause && takesLong(editor, payload)) {
        // Stored and applied in parts here; Hocuspocus, which would apply it at once, then finds nothing new.
        const update = payload.slice();
        log.add(editor, update, { userId: context.user?.userId ?? null, sessionId: connection.socketId });
        await applyInTurn(editor, [update], 'updates');
      }
      if (!cause) return;
      // Hocuspocus reads the same bytes next; zeroed, they are an update that changes nothing.
      payload.fill(0);
      context.client.close(cause);
    },
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
