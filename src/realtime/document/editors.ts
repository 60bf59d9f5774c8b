import type { Doc } from 'yjs';
import type { Scope } from '../../lib/scope.ts';
import type { Patience } from '../edit/compare-lists.ts';
import type { ContentTask } from './content-tasks.ts';
import type { Stored } from './stored-content.ts';

/** An editor within its document, as callers name it. */
export interface EditorRef {
  organizationId: string;
  documentId: string;
  editorId: string;
}

/** A change as a thread makes it. */
export interface LargeChange {
  /** It would take long however little it is applied to. */
  isLarge: boolean;
  /** Called when a thread begins with it, and not while it waits: what it holds counts as long. */
  onBegin?(): void;
  taskOn(stored: Stored): Extract<ContentTask, { name: 'write' | 'restore' }>;
}

/** The editors that are open on this process, and through the bus those of all others. */
export interface Editors {
  /**
   * Changes the content of an editor that exists, through the open document, so that everybody who has it open
   * gets the change. Resolves once it is stored; throws NOT_FOUND where there is no such editor, and whatever
   * `write` throws, which must have changed nothing then. With `large`, what takes long is done in a thread.
   */
  change(
    scope: Scope,
    editor: EditorRef,
    write: (document: Doc, patience: Patience) => void,
    large?: LargeChange,
  ): Promise<void>;
  /** Hands an update that is committed to whoever has the editor open, on any process. */
  deliver(scope: Scope, editor: EditorRef, update: Uint8Array): Promise<void>;
  /** Closes editors whose deletion is committed, on every process. */
  drop(scope: Scope, editors: EditorRef[]): Promise<void>;
}
