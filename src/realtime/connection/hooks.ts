import type { Configuration, Connection, Document } from '@hocuspocus/server';
import type { Awareness } from 'y-protocols/awareness';
import { encodeStateAsUpdate } from 'yjs';
import type { TokenUser } from '../../lib/scope.ts';
import { noteWork } from '../../lib/threads/watchdog.ts';
import { applyInTurn, takesLong } from '../document/apply-in-parts.ts';
import type { OpenEditor } from '../document/open-editor.ts';
import { judgeUpdate, onlyDeletes } from '../document/update-guard.ts';
import type { AppendLog } from '../log/append-log.ts';
import type { Cause } from '../protocol/close-codes.ts';
import type { Limits } from '../protocol/limits.ts';
import { syncKinds } from './frames.ts';

/** What the engine asks of the connection that a message came over. */
export interface Gateway {
  /** Who may open a document and whether only to read; throws the reason where nobody may. */
  admit(name: string, token: string): Promise<{ user: TokenUser; readOnly: boolean }>;
  /** Takes a new token of somebody who is connected. */
  renew(connection: Connection<Session>, token: string): Promise<void>;
  opened(connection: Connection<Session>): void;
  close(cause: Cause): void;
}

/** What the engine keeps of a connection to one document. */
export interface Session {
  gate: Gateway;
  user?: TokenUser;
  token?: string;
}

interface Parts {
  load(document: Document): Promise<void>;
  openEditorOf(document: object): OpenEditor | undefined;
  log(): Pick<AppendLog, 'isFull' | 'add'>;
  limits: Limits;
  /** Why so many bytes more cannot be stored. */
  refusalOf(bytes: number): Cause | undefined;
}

const RECOUNT_EVERY_MS = 5_000;
/** Clients that are gone whose last words are remembered, so that late news of them is told from new ones. */
const ABSENT_REMEMBERED = 1_000;

/** What the engine calls. Those that are undefined would else be awaited for nothing, with every message. */
export function hooksOf({
  load,
  openEditorOf,
  log,
  limits,
  refusalOf,
}: Parts): Partial<Configuration<Session>> {
  const countedAt = new WeakMap<OpenEditor, number>();

  const isTooLarge = (editor: OpenEditor, more: number): boolean => {
    if (editor.bytes + more <= limits.documentBytes) return false;
    const now = Date.now();
    if (now - (countedAt.get(editor) ?? 0) < RECOUNT_EVERY_MS) return true;
    countedAt.set(editor, now);
    editor.bytes = encodeStateAsUpdate(editor.document).length;
    return editor.bytes + more > limits.documentBytes;
  };

  const judge = (editor: OpenEditor, update: Uint8Array): Cause | undefined => {
    if (editor.isGone) return 'deleted';
    if (log().isFull()) return 'busy';
    const cause = judgeUpdate(editor, update, limits);
    // A client that has nothing new says so with deletions that are known, so that reading goes on.
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
      const { user, readOnly } = await context.gate.admit(documentName, token);
      connectionConfig.readOnly = readOnly;
      return { user, token };
    },
    async onTokenSync({ token, connection, context }) {
      await context.gate.renew(connection, token);
    },
    async onLoadDocument({ document }) {
      await load(document);
    },
    async connected({ connection, context }) {
      const { document } = connection;
      // It was taken out while the connection was made, so that nothing would be heard or stored of it.
      if (document.isDestroyed || openEditorOf(document)?.isGone) context.gate.close('busy');
      else context.gate.opened(connection);
    },
    async beforeSync({ type, payload, document, connection, context }) {
      noteWork('live document: message');
      const editor = openEditorOf(document);
      // Not by way of a function, whose end others would see before this one starts to apply what it brings.
      while (editor?.applying) await editor.applying.catch(() => {});
      if (type === syncKinds.step1 || connection.readOnly || !editor) return;
      const cause = judge(editor, payload);
      if (!cause && takesLong(editor, payload)) {
        // It is kept and applied here, so that it says nothing new to the engine, which would do it in one go.
        const update = payload.slice();
        log().add(editor, update, { userId: context.user?.userId ?? null, sessionId: connection.socketId });
        await applyInTurn(editor, [update], 'updates');
      }
      if (!cause) return;
      // The engine reads the same bytes next: so they are an update that changes nothing.
      payload.fill(0);
      context.gate.close(cause);
    },
    async beforeHandleAwareness({ states, connection, document, context }) {
      if (!connection) return;
      const session = context as Session;
      const own = document.connections.get(connection)?.clients;
      if (states.size + (own?.size ?? 0) > 2 * limits.awarenessClients) {
        states.clear();
        session.gate.close('presenceTooLarge');
        return;
      }
      forgetAbsent(document.awareness);
      for (const clientId of states.keys()) {
        if (own?.has(clientId)) continue;
        const owner = openEditorOf(document)?.owners.get(clientId);
        const isTaken = owner !== undefined && owner !== session.user?.userId;
        // Nobody speaks for a client of somebody else.
        if (isTaken || (own?.size ?? 0) >= limits.awarenessClients) states.delete(clientId);
      }
    },
    async beforeUnloadDocument({ document }) {
      // It was taken out already, and another may go by its name by now. Says nothing, for the engine would print it.
      if (openEditorOf(document)?.isGone) throw undefined;
    },
  };
}

/** y-protocols remembers every client that there ever was. */
function forgetAbsent({ meta, states }: Awareness): void {
  if (meta.size <= states.size + ABSENT_REMEMBERED) return;
  for (const clientId of meta.keys()) if (!states.has(clientId)) meta.delete(clientId);
}
