import type { Document } from '@hocuspocus/server';
import type { Db } from '../db/tables.ts';
import type { Bus } from '../lib/bus/bus.ts';
import type { Scope } from '../lib/scope.ts';
import { noteWork } from '../lib/threads/watchdog.ts';
import type { EditorRef } from '../store/live/crdt-editors.ts';
import { loadDeletion, loadEditor, type StoredEditor } from '../store/live/crdt-log.ts';
import { hooksOf } from './connection/hocuspocus-hooks.ts';
import { applyInTurn } from './document/apply-in-parts.ts';
import type { Editors } from './document/live-editors.ts';
import { idOfEditor, newOpenEditor, type OpenEditor, STORED, storedBytes } from './document/open-editor.ts';
import { updatesOf } from './document/stored-content.ts';
import { createEditorChanges } from './editor-changes.ts';
import { createEngines, type Engines } from './hocuspocus-engines.ts';
import { AppendLog, type Author, EditorGone } from './log/append-log.ts';
import { Channels } from './log/editor-channels.ts';
import type { Cause } from './protocol/close-codes.ts';
import { editorOf } from './protocol/document-name.ts';
import type { Limits } from './protocol/realtime-limits.ts';
import type { Session } from './protocol/session.ts';

export interface HostOptions {
  db: Db;
  bus: Bus;
  limits: Limits;
  /** Milliseconds for which updates are collected before they are stored together. */
  collectMs: number;
  /** Checks an API key's quota before more bytes are stored. */
  refusalOf: ((apiKeyId: string, bytes: number) => Cause | undefined) | undefined;
  /** An open editor was deleted or dropped; its connections must be closed. */
  onGone(editor: OpenEditor, cause: Cause): void;
  /** API keys with connections, which may open an editor at any moment. */
  connectedKeys(): ReadonlySet<string | undefined>;
  onError(error: unknown, context?: object): void;
}

/**
 * The editors that are open on this process. It connects Hocuspocus, which syncs documents with clients, to the append
 * log, which stores updates, and to the channels, which broadcast stored updates to other processes.
 */
export class Host implements Editors {
  readonly log: AppendLog;
  readonly engines: Engines;
  readonly change: Editors['change'];
  readonly #options: HostOptions;
  readonly #channels: Channels;
  readonly #openEditors = new WeakMap<object, OpenEditor>();

  constructor(options: HostOptions) {
    const { db, bus, limits, collectMs, connectedKeys, onError } = options;
    this.#options = options;
    this.log = new AppendLog({
      db,
      collectMs,
      onStored: (editor, updates) => this.#channels.sendUpdates(editor.id, updates, editor),
      onGone: (editor) => this.#drop(editor, 'deleted'),
      onLost: (editor) => this.#drop(editor, 'busy'),
      onError: (error) => onError(error, { doing: 'storing updates of editors' }),
    });
    this.#channels = new Channels({
      bus,
      onGone: (editor) => this.#drop(editor, 'deleted'),
      onMissed: (editor) =>
        this.#readAgain(editor).catch((error: unknown) =>
          onError(error, { doing: 'reading an editor again' }),
        ),
      onError,
    });
    this.engines = createEngines({ limits, connectedKeys, hooksFor: (...args) => this.#hooksFor(...args) });
    this.change = createEditorChanges({
      db,
      log: this.log,
      channels: this.#channels,
      engineOf: this.engines.engineOf,
      openEditorOf: (document) => this.openEditorOf(document),
      readAgain: (editor) => this.#readAgain(editor),
    });
  }

  openEditorOf(document: object): OpenEditor | undefined {
    return this.#openEditors.get(document);
  }

  /** Clients of this process that have an editor open. */
  connectionsTo(scope: Scope, editor: EditorRef): number {
    const open = this.#channels.openEditorsOf(idOfEditor({ apiKeyId: scope.apiKeyId, ...editor }));
    return [...open].reduce((sum, { document }) => sum + document.connections.size, 0);
  }

  async deliver(scope: Scope, editor: EditorRef, update: Uint8Array): Promise<void> {
    await this.#channels.sendUpdates(idOfEditor({ apiKeyId: scope.apiKeyId, ...editor }), [update]);
  }

  async drop(scope: Scope, editors: EditorRef[]): Promise<void> {
    for (const editor of editors) {
      const id = idOfEditor({ apiKeyId: scope.apiKeyId, ...editor });
      for (const open of [...this.#channels.openEditorsOf(id)]) this.#drop(open, 'deleted');
      this.#channels.sendGone(id);
    }
  }

  async stop(withinMs: number): Promise<void> {
    this.engines.stop();
    await this.log.stop(withinMs);
    await this.#channels.stop();
  }

  #hooksFor(scope: Scope, keepOpen: (document: Document) => void): ReturnType<typeof hooksOf> {
    return hooksOf({
      keepOpen,
      load: (document) => this.#load(document, scope),
      openEditorOf: (document) => this.openEditorOf(document),
      log: this.log,
      limits: this.#options.limits,
      refusalOf: (bytes) => this.#options.refusalOf?.(scope.apiKeyId, bytes),
    });
  }

  /** Fills a document that Hocuspocus opens with what is stored, and stores what is written from then on. */
  async #load(document: Document, scope: Scope): Promise<void> {
    const ref = editorOf(document.name);
    if (!ref) throw new Error(`Not the name of an editor: ${document.name}`);
    noteWork('live document: opening');
    const editor = newOpenEditor({ apiKeyId: scope.apiKeyId, ...ref }, document);
    this.#openEditors.set(document, editor);
    document.on('destroy', () => this.#channels.leave(editor));
    let stored: StoredEditor | undefined;
    let deletedClients: number[];
    try {
      // Joined before the load, so that no update falls between the two.
      await this.#channels.join(editor);
      stored = await loadEditor(this.#options.db, editor.key, editor.key);
      deletedClients = await loadDeletion(this.#options.db, editor.key);
    } catch (error) {
      document.destroy();
      throw error;
    }
    // The editor was deleted meanwhile. Its content must not be served, because no message would ever remove it
    // again.
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
      this.log.add(editor, update, authorOf(origin));
    });
  }

  /** Applies what is stored and missing in the open document, after messages may have been missed. */
  async #readAgain(editor: OpenEditor): Promise<void> {
    const stored = await loadEditor(this.#options.db, editor.key, editor.key);
    if (editor.isGone) return;
    if (editor.incarnation !== null && stored?.incarnation !== editor.incarnation)
      this.#drop(editor, 'deleted');
    else if (stored) {
      editor.incarnation = stored.incarnation;
      await applyInTurn(editor, updatesOf(stored), 'difference');
    }
  }

  /** Takes an open document out of service, so that the editor is loaded anew when it is opened again. */
  #drop(editor: OpenEditor, cause: Cause): void {
    if (editor.isGone) return;
    editor.isGone = true;
    const { document, key } = editor;
    const engine = this.engines.find(key.apiKeyId);
    if (engine?.documents.get(document.name) === document) {
      engine.documents.delete(document.name);
      // Its timers go by name; this one would unload the document's successor.
      engine.debouncer.executeNow(`onStoreDocument-${document.name}`);
    }
    this.#channels.leave(editor);
    this.#options.onGone(editor, cause);
    // Hocuspocus destroys only documents in its list; this ends the timers of the document.
    document.destroy();
  }
}

/** The author of an update by its origin: the user of a connection, or a backend that waits for its request. */
const authorOf = (origin: unknown): Author => {
  const { connection } = (origin ?? {}) as { connection?: { context: Session; socketId: string } };
  if (!connection) return { userId: null, sessionId: null, isWaiting: true };
  return { userId: connection.context.user?.userId ?? null, sessionId: connection.socketId };
};
