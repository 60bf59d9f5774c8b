import type { Connection } from '@hocuspocus/server';
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

export interface SyncCheckDeps {
  openEditorOf(document: object): OpenEditor | undefined;
  log: Pick<AppendLog, 'isFull' | 'add'>;
  limits: Limits;
  /** Checks the quota before more bytes are stored. */
  refusalOf(bytes: number): Cause | undefined;
}

/** Checks a sync message of a client right before Hocuspocus applies it. */
type SyncCheck = (
  connection: Connection<Session>,
  message: { type: number; payload: Uint8Array },
) => Promise<void>;

const RECOUNT_EVERY_MS = 5_000;

export function syncCheckOf({ openEditorOf, log, limits, refusalOf }: SyncCheckDeps): SyncCheck {
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

  return async ({ document, context, readOnly, socketId }, { type, payload }) => {
    noteWork('live document: message');
    const editor = openEditorOf(document);
    // No helper function: another hook could continue between its end and the start of this update.
    while (editor?.applying) await editor.applying.catch(() => {});
    if (type === syncKinds.step1 || readOnly || !editor) return;
    const cause = check(editor, payload);
    if (!cause && takesLong(editor, payload)) {
      // Stored and applied in parts here; Hocuspocus, which would apply it at once, then finds nothing new.
      const update = payload.slice();
      log.add(editor, update, { userId: context.user?.userId ?? null, sessionId: socketId });
      await applyInTurn(editor, [update], 'updates');
    }
    if (!cause) return;
    // Hocuspocus reads the same bytes next; zeroed, they are an update that changes nothing.
    payload.fill(0);
    context.client.close(cause);
  };
}
