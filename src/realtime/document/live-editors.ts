import type { Doc } from 'yjs';
import type { Scope } from '../../lib/scope.ts';
import type { EditorRef } from '../../store/live/crdt-editors.ts';
import type { Patience } from '../edit/compare-lists.ts';
import type { ContentTask } from './content-tasks.ts';
import type { Stored } from './stored-content.ts';

/** A change that a worker thread can compute from the stored content, for large editors and large changes. */
export interface LargeChange {
  /** True if the change itself takes long; otherwise the thread computes it only for a large editor. */
  isLarge: boolean;
  /** Called when a thread starts the change, so that its memory can be accounted from then on. */
  onBegin?(): void;
  taskOn(stored: Stored): Extract<ContentTask, { name: 'write' | 'restore' }>;
}

/** Live editors, those open on this process and, over the bus, on all others. */
export interface Editors {
  /**
   * Changes an existing editor through its open document, so that connected clients receive the change. Resolves once
   * the change is stored. Throws NOT_FOUND, and any error of `write`, which must then have changed nothing. With
   * `large`, a change that takes long is computed in a worker thread.
   */
  change(
    scope: Scope,
    editor: EditorRef,
    write: (document: Doc, patience: Patience) => void,
    large?: LargeChange,
  ): Promise<void>;
  /** Sends a committed update to all clients that have the editor open, on any process. */
  deliver(scope: Scope, editor: EditorRef, update: Uint8Array): Promise<void>;
  /** Closes deleted editors on every process, once the deletion is committed. */
  drop(scope: Scope, editors: EditorRef[]): Promise<void>;
}
