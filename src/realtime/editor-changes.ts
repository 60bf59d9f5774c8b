import { encodeStateAsUpdate } from 'yjs';
import type { Db } from '../db/tables.ts';
import { ApiError, notFound } from '../lib/errors.ts';
import type { Scope } from '../lib/scope.ts';
import { within } from '../lib/time.ts';
import type { EditorRef } from '../store/live/crdt-editors.ts';
import { untilApplied } from './document/apply-in-parts.ts';
import { sharedContentPool } from './document/content-pool.ts';
import type { Editors, LargeChange } from './document/live-editors.ts';
import { BACKEND, idOfEditor, type OpenEditor } from './document/open-editor.ts';
import { TooMuchWork } from './edit/compare-lists.ts';
import type { Engines } from './hocuspocus-engines.ts';
import { createLargeChanges } from './large-changes.ts';
import { type AppendLog, EditorGone } from './log/append-log.ts';
import type { Channels } from './log/editor-channels.ts';
import { documentNameOf } from './protocol/document-name.ts';

interface ChangeDeps {
  db: Db;
  log: AppendLog;
  channels: Channels;
  engineOf: Engines['engineOf'];
  openEditorOf(document: object): OpenEditor | undefined;
  /** Applies what is stored of an editor and missing in its open document. */
  readAgain(editor: OpenEditor): Promise<void>;
}

const STORED_WITHIN_MS = 10_000;

/** Changes of editors over REST: small ones through the open document, large ones in a worker thread. */
export function createEditorChanges(deps: ChangeDeps): Editors['change'] {
  const { db, log, channels, engineOf, openEditorOf, readAgain } = deps;
  const largeChanges = createLargeChanges(db, sharedContentPool());

  /** Resolves when an editor may be free for a change; undefined if it is. */
  const busy = (editor: OpenEditor): Promise<unknown> | undefined =>
    editor.applying ? untilApplied(editor) : largeChanges.underWay(editor.id);

  /** Changes the open document. Returns false if the change belongs in a thread. */
  const changeHere = async (
    ...[scope, ref, write, large]: Parameters<Editors['change']>
  ): Promise<boolean> => {
    const engine = engineOf(scope);
    const document = await engine.hold(documentNameOf(ref));
    const editor = openEditorOf(document)!;
    try {
      // The editor may exist by a client's first update, which is not stored yet.
      if (editor.incarnation === null) await requireStored(log.settled(editor));
      if (editor.incarnation === null || channels.isDoubtful()) await readAgain(editor);
      if (editor.isGone || editor.incarnation === null) throw new EditorGone();
      for (let underWay = busy(editor); underWay; underWay = busy(editor)) await underWay;
      if (editor.isGone) throw new EditorGone();
      if (large && !isSmallDocument(editor)) return false;
      // Hocuspocus broadcasts to clients what a transaction changes.
      document.transact(() => write(document, large ? 'short' : 'full'), BACKEND);
      await requireStored(log.settled(editor));
      return true;
    } catch (error) {
      if (large && error instanceof TooMuchWork) return false;
      throw error;
    } finally {
      // Hocuspocus would set a timer by name, which would then unload the document's successor.
      if (editor.isGone) document.removeDirectConnection();
      else engine.release(document);
    }
  };

  const changeInThread = async (scope: Scope, ref: EditorRef, large: LargeChange): Promise<void> => {
    const key = { apiKeyId: scope.apiKeyId, ...ref };
    const id = idOfEditor(key);
    await largeChanges.make(key, large, {
      settle: () =>
        Promise.all([...channels.openEditorsOf(id)].map((editor) => requireStored(log.settled(editor)))),
      deliver: (update) => channels.sendUpdates(id, [update]),
    });
  };

  return async (scope, ref, write, large) => {
    for (let attempt = 1; ; attempt++) {
      try {
        if (large?.isLarge) return await changeInThread(scope, ref, large);
        const isDone = await changeHere(scope, ref, write, large);
        if (!isDone && large) await changeInThread(scope, ref, large);
        return;
      } catch (error) {
        if (!(error instanceof EditorGone)) throw error;
        // Another process may have deleted the editor and created it again; opening it again loads its successor.
        if (attempt === 2) throw notFound('No CRDT data found for this editor ID.');
      }
    }
  };
}

/** Documents up to this size are read and compared within a few milliseconds. */
const SMALL_DOCUMENT_BYTES = 131_072;
const SMALL_DOCUMENT_STRUCTS = 8_000;

function isSmallDocument(editor: OpenEditor): boolean {
  let structs = 0;
  for (const own of editor.document.store.clients.values()) structs += own.length;
  if (structs > SMALL_DOCUMENT_STRUCTS) return false;
  // The count of a document that is open for long includes what has been replaced since.
  if (editor.bytes > SMALL_DOCUMENT_BYTES) editor.bytes = encodeStateAsUpdate(editor.document).length;
  return editor.bytes <= SMALL_DOCUMENT_BYTES;
}

/** Throws UNAVAILABLE if storing takes too long. */
async function requireStored(settled: Promise<void> | undefined): Promise<void> {
  const stored = settled?.then(() => true);
  if (stored && !(await within(STORED_WITHIN_MS, stored, false))) throw unavailable();
}

const unavailable = () =>
  new ApiError('UNAVAILABLE', 'The change could not be stored in time; it may yet be.', {
    retryAfterSeconds: 2,
  });
