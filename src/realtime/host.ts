import type { Document, Hocuspocus } from '@hocuspocus/server';
import { encodeStateAsUpdate } from 'yjs';
import type { Db } from '../db/tables.ts';
import type { Bus } from '../lib/bus/bus.ts';
import { ApiError, notFound } from '../lib/errors.ts';
import type { Scope } from '../lib/scope.ts';
import { noteWork } from '../lib/threads/watchdog.ts';
import { loadDeletion, loadEditor, type StoredEditor } from '../store/live/crdt-log.ts';
import { hooksOf, type Session } from './connection/hooks.ts';
import { applyInTurn, untilApplied } from './document/apply-in-parts.ts';
import { sharedContentPool } from './document/content-pool.ts';
import type { EditorRef, Editors, LargeChange } from './document/editors.ts';
import {
  BACKEND,
  idOf,
  newOpenEditor,
  type OpenEditor,
  STORED,
  storedBytes,
} from './document/open-editor.ts';
import { updatesOf } from './document/stored-content.ts';
import { TooMuchWork } from './edit/compare-lists.ts';
import { Engine } from './engine.ts';
import { createLargeChanges } from './large-changes.ts';
import { type AppendLog, createAppendLog, EditorGone } from './log/append-log.ts';
import { type Channels, createChannels } from './log/channels.ts';
import type { Cause } from './protocol/close-codes.ts';
import { editorOf, nameOf } from './protocol/document-name.ts';
import type { Limits } from './protocol/limits.ts';

export interface Host extends Editors {
  /** The engine that serves the editors of one API key: names of documents are unique only within it. */
  engineOf(scope: Scope): Hocuspocus<Session>;
  engines(): Iterable<[Scope, Hocuspocus<Session>]>;
  openEditorOf(document: object): OpenEditor | undefined;
  /** How many editors are open. */
  openCount(): number;
  /** How many clients of this process have an editor open. */
  connectionsTo(scope: Scope, editor: EditorRef): number;
  log: AppendLog;
  stop(withinMs: number): Promise<void>;
}

interface HostOptions {
  db: Db;
  bus: Bus;
  limits: Limits;
  /** How long updates are collected before they are stored together, in milliseconds. */
  collectMs: number;
  /** Why so many bytes more of an API key cannot be stored. */
  refusalOf: ((apiKeyId: string, bytes: number) => Cause | undefined) | undefined;
  /** Somebody's editor is not to be written in any more, since it was deleted, or for what else there is. */
  onGone(editor: OpenEditor, cause: Cause): void;
  /** API keys that somebody is connected with, who may open an editor at any moment. */
  connectedKeys(): ReadonlySet<string | undefined>;
  onError(error: unknown, context?: object): void;
}

const STORED_WITHIN_MS = 10_000;
/** A document that nobody has open is kept for so long, since whoever writes once often writes again. */
const KEPT_OPEN_MS = 2_000;
const IDLE_ENGINES_EVERY_MS = 60_000;

/** Holds the editors that are open on this process. */
export function createHost(options: HostOptions): Host {
  const { db, bus, limits, collectMs, onGone, connectedKeys, onError } = options;
  const engines = new Map<string, { scope: Scope; engine: Hocuspocus<Session> }>();
  const openEditors = new WeakMap<object, OpenEditor>();

  const drop = (editor: OpenEditor, cause: Cause = 'deleted') => {
    if (editor.isGone) return;
    editor.isGone = true;
    const engine = engines.get(editor.key.apiKeyId)?.engine;
    // Whoever comes from now on must find the editor as it is stored.
    if (engine?.documents.get(editor.document.name) === editor.document) {
      engine.documents.delete(editor.document.name);
      // It goes by names, and would look after this one where it should look after the next.
      engine.debouncer.executeNow(`onStoreDocument-${editor.document.name}`);
    }
    channels.leave(editor);
    onGone(editor, cause);
    // The engine lets go only of what is in its list; the timers of the document end here.
    editor.document.destroy();
  };

  const log = createAppendLog({
    db,
    collectMs,
    onStored: (editor, updates) => channels.tellUpdates(editor.id, updates, editor),
    onGone: drop,
    onLost: (editor) => drop(editor, 'busy'),
    onError: (error) => onError(error, { doing: 'storing updates of editors' }),
  });
  const channels: Channels = createChannels({
    bus,
    onGone: drop,
    onMissed: (editor) =>
      readAgain(editor).catch((error: unknown) => onError(error, { doing: 'reading an editor again' })),
    onError,
  });
  const readAgain = async (editor: OpenEditor) => {
    const stored = await loadEditor(db, editor.key, editor.key);
    if (editor.isGone) return;
    if (editor.incarnation !== null && stored?.incarnation !== editor.incarnation) drop(editor);
    else if (stored) {
      editor.incarnation = stored.incarnation;
      await applyInTurn(editor, updatesOf(stored), 'difference');
    }
  };

  const load = async (document: Document, scope: Scope): Promise<void> => {
    const ref = editorOf(document.name);
    if (!ref) throw new Error(`No name of an editor: ${document.name}`);
    noteWork('live document: opening');
    const editor = newOpenEditor({ apiKeyId: scope.apiKeyId, ...ref }, document);
    openEditors.set(document, editor);
    document.on('destroy', () => channels.leave(editor));
    let stored: StoredEditor | undefined;
    let deletedClients: number[];
    try {
      await channels.join(editor);
      stored = await loadEditor(db, editor.key, editor.key);
      deletedClients = await loadDeletion(db, editor.key);
    } catch (error) {
      document.destroy();
      throw error;
    }
    // It was deleted meanwhile, and what was read of it must not be served: nobody would take it away again.
    if (editor.isGone) throw new EditorGone();
    editor.deletedClients = new Set(deletedClients);
    if (stored) {
      editor.incarnation = stored.incarnation;
      await applyInTurn(editor, updatesOf(stored), 'none');
      // Deleted meanwhile, as above.
      if (editor.isGone) throw new EditorGone();
      editor.bytes = storedBytes(stored);
    }
    document.on('update', (update: Uint8Array, origin: unknown) => {
      editor.bytes += update.length;
      if (origin === STORED || editor.isGone) return;
      log.add(editor, update, authorOf(origin));
    });
  };

  const engineOf = (scope: Scope): Hocuspocus<Session> => {
    const known = engines.get(scope.apiKeyId);
    if (known) return known.engine;
    const engine = new Engine({
      quiet: true,
      debounce: KEPT_OPEN_MS,
      maxDebounce: 5 * KEPT_OPEN_MS,
      unloadImmediately: false,
      maxUnauthenticatedQueueSize: limits.messageBytes,
      maxUnauthenticatedQueueMessages: limits.queuedMessages,
      maxPendingDocuments: limits.documentsPerConnection,
      ...hooksOf({
        load: (document) => load(document, scope),
        openEditorOf: (document) => openEditors.get(document),
        log: () => log,
        limits,
        refusalOf: (bytes) => options.refusalOf?.(scope.apiKeyId, bytes),
      }),
    });
    engines.set(scope.apiKeyId, { scope, engine });
    return engine;
  };
  const timer = setInterval(() => {
    const connected = connectedKeys();
    for (const [apiKeyId, { engine }] of engines) {
      const isIdle = engine.documents.size === 0 && engine.loadingDocuments.size === 0;
      // A connection keeps its engine, and rights are looked at only in those that are here.
      if (isIdle && !connected.has(apiKeyId)) engines.delete(apiKeyId);
    }
  }, IDLE_ENGINES_EVERY_MS);

  const largeChanges = createLargeChanges(db, sharedContentPool());

  /** Resolves when an editor may be free for a change; undefined if it is. */
  const busy = (editor: OpenEditor): Promise<unknown> | undefined =>
    editor.applying ? untilApplied(editor) : largeChanges.underWay(editor.id);

  /** Answers false if the change is one for a thread. */
  const changeHere = async (
    ...[scope, ref, write, large]: Parameters<Editors['change']>
  ): Promise<boolean> => {
    const connection = await engineOf(scope).openDirectConnection(nameOf(ref));
    const document = connection.document!;
    const editor = openEditors.get(document)!;
    try {
      // Somebody's first update may be on its way.
      if (editor.incarnation === null) await settleInTime(log.settled(editor));
      if (editor.incarnation === null || channels.isDoubtful()) await readAgain(editor);
      if (editor.isGone || editor.incarnation === null) throw new EditorGone();
      for (let underWay = busy(editor); underWay; underWay = busy(editor)) await underWay;
      if (editor.isGone) throw new EditorGone();
      if (large && !isSmallDocument(editor)) return false;
      document.transact(() => write(document, large ? 'short' : 'full'), BACKEND);
      await settleInTime(log.settled(editor));
      return true;
    } catch (error) {
      if (large && error instanceof TooMuchWork) return false;
      throw error;
    } finally {
      // The engine would set a timer by the name of what was taken out, which its successor goes by.
      if (editor.isGone) document.removeDirectConnection();
      else void connection.disconnect({ unloadImmediately: false });
    }
  };

  const changeInThread = async (scope: Scope, ref: EditorRef, large: LargeChange): Promise<void> => {
    const key = { apiKeyId: scope.apiKeyId, ...ref };
    const id = idOf(key);
    await largeChanges.make(key, large, {
      settle: () =>
        Promise.all([...channels.openedAs(id)].map((editor) => settleInTime(log.settled(editor)))),
      deliver: (update) => channels.tellUpdates(id, [update]),
    });
  };

  const change: Editors['change'] = async (scope, ref, write, large) => {
    if (large && (large.isLarge || !(await changeHere(scope, ref, write, large)))) {
      await changeInThread(scope, ref, large);
    } else if (!large) await changeHere(scope, ref, write);
  };

  return {
    engineOf,
    *engines() {
      for (const { scope, engine } of engines.values()) yield [scope, engine];
    },
    openEditorOf: (document) => openEditors.get(document),
    openCount: () => [...engines.values()].reduce((sum, { engine }) => sum + engine.documents.size, 0),
    connectionsTo(scope, ref) {
      const open = channels.openedAs(idOf({ apiKeyId: scope.apiKeyId, ...ref }));
      return [...open].reduce((sum, { document }) => sum + document.connections.size, 0);
    },
    log,
    async change(scope, ref, write, large) {
      for (let attempt = 1; ; attempt++) {
        try {
          return await change(scope, ref, write, large);
        } catch (error) {
          if (!(error instanceof EditorGone)) throw error;
          // It may have been deleted and made again elsewhere, which is seen when it is opened anew.
          if (attempt === 2) throw notFound('No CRDT data found for this editor ID.');
        }
      }
    },
    async deliver(scope, ref, update) {
      const id = idOf({ apiKeyId: scope.apiKeyId, ...ref });
      await channels.tellUpdates(id, [update]);
    },
    async drop(scope, refs) {
      for (const ref of refs) {
        const id = idOf({ apiKeyId: scope.apiKeyId, ...ref });
        for (const editor of [...channels.openedAs(id)]) drop(editor);
        channels.tellGone(id);
      }
    },
    async stop(withinMs) {
      clearInterval(timer);
      await log.stop(withinMs);
      await channels.stop();
    },
  };
}

/** So much can be read, and compared with as much, in a few milliseconds. */
const SMALL_DOCUMENT_BYTES = 131_072;
const SMALL_DOCUMENT_STRUCTS = 2_000;

function isSmallDocument(editor: OpenEditor): boolean {
  let structs = 0;
  for (const own of editor.document.store.clients.values()) structs += own.length;
  if (structs > SMALL_DOCUMENT_STRUCTS) return false;
  // In a document that is open for long, much that was counted has been replaced since.
  if (editor.bytes > SMALL_DOCUMENT_BYTES) editor.bytes = encodeStateAsUpdate(editor.document).length;
  return editor.bytes <= SMALL_DOCUMENT_BYTES;
}

const authorOf = (origin: unknown) => {
  const { connection } = (origin ?? {}) as { connection?: { context: Session; socketId: string } };
  if (!connection) return { userId: null, sessionId: null, isWaiting: true as const };
  return { userId: connection.context.user?.userId ?? null, sessionId: connection.socketId };
};

async function settleInTime(settled: Promise<void> | undefined): Promise<void> {
  if (!settled) return;
  let timer: NodeJS.Timeout | undefined;
  const tooLate = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(unavailable()), STORED_WITHIN_MS);
  });
  try {
    await Promise.race([settled, tooLate]);
  } finally {
    clearTimeout(timer);
  }
}

const unavailable = () =>
  new ApiError('UNAVAILABLE', 'The change could not be stored in time; it may yet be.', {
    retryAfterSeconds: 2,
  });
