import { mergeUpdates } from 'yjs';
import { invalidArgument } from '../../lib/errors.ts';
import { requireStorable } from '../../lib/text/storable-json.ts';
import { packUpdates } from '../../lib/update-list.ts';
import { type ContentType, readContent } from '../edit/read-content.ts';
import { restoreContent } from '../edit/restore-content.ts';
import { writeContent } from '../edit/write-content.ts';
import { sliceUpdate } from './slice-update.ts';
import { openStored, type Stored, stateOf, writersOf } from './stored-content.ts';

/** The type and key that a caller declared. */
export interface Declared {
  type: ContentType | null;
  contentKey: string | null;
}

/** Work on the content of an editor that takes long if the content is large. */
export type ContentTask =
  /** Replaces content. `body` is the raw request, because an object is expensive to transfer to a thread. */
  | { name: 'write'; stored: Stored; type: ContentType; contentKey: string; body: Uint8Array }
  /** Restores an editor to a snapshot. */
  | { name: 'restore'; stored: Stored; state: Uint8Array }
  | { name: 'read'; stored: Stored; declared: Declared }
  /** Compacts the stored updates into one, and reads the content unless it is too large for an event. */
  | { name: 'compact'; stored: Stored; declared: Declared | undefined; maxBytes: number }
  /** Slices updates; see `sliceUpdate`. */
  | { name: 'slice'; updates: Uint8Array[] }
  /** The Yjs clients that wrote in an editor. */
  | { name: 'writers'; stored: Stored };

export interface Results {
  /** The change as one update; undefined if nothing differs. */
  write: { update: Uint8Array | undefined };
  restore: { update: Uint8Array | undefined };
  /** The content as JSON. */
  read: { json: Uint8Array };
  compact: { state: Uint8Array; json: Uint8Array | undefined; unreadable: string | undefined };
  slice: { slices: Uint8Array };
  writers: { clientIds: number[] };
}

/** Runs a task, usually in a worker thread. */
export function doContentTask(task: ContentTask): Results[keyof Results] {
  switch (task.name) {
    case 'write':
      return write(task);
    case 'restore':
      return restore(task);
    case 'read':
      return { json: jsonOf(readContent(openStored(task.stored), task.declared)) };
    case 'compact':
      return compact(task);
    case 'slice':
      return { slices: packUpdates(task.updates.flatMap((update) => sliceUpdate(update))) };
    case 'writers':
      return { clientIds: writersOf(task.stored) };
  }
}

type Task<Name extends ContentTask['name']> = Extract<ContentTask, { name: Name }>;

const jsonOf = (content: unknown): Uint8Array => new TextEncoder().encode(JSON.stringify(content));

function write({ stored, type, contentKey, body }: Task<'write'>): Results['write'] {
  const data = contentIn(body);
  return { update: changeOf(stored, (document) => writeContent(document, { type, contentKey, data })) };
}

function contentIn(body: Uint8Array): unknown {
  let content: unknown;
  try {
    content = (JSON.parse(new TextDecoder().decode(body)) as { data: { data: unknown } }).data.data;
  } catch {
    throw invalidArgument('The request body is not valid JSON.');
  }
  // The main thread has checked the body except for its content.
  requireStorable({ data: { data: content } });
  return content;
}

function restore({ stored, state }: Task<'restore'>): Results['restore'] {
  const from = openStored({ snapshot: state, updates: null });
  return { update: changeOf(stored, (document) => restoreContent(document, from)) };
}

function changeOf(
  stored: Stored,
  write: (document: ReturnType<typeof openStored>) => void,
): Uint8Array | undefined {
  const document = openStored(stored);
  const made: Uint8Array[] = [];
  document.on('update', (update: Uint8Array) => made.push(update));
  write(document);
  return made.length > 1 ? mergeUpdates(made) : made[0];
}

function compact({ stored, declared, maxBytes }: Task<'compact'>): Results['compact'] {
  const document = openStored(stored);
  const compacted: Results['compact'] = { state: stateOf(document), json: undefined, unreadable: undefined };
  if (!declared) return compacted;
  try {
    const json = jsonOf(readContent(document, declared));
    if (json.length <= maxBytes) compacted.json = json;
  } catch (error) {
    compacted.unreadable = (error as Error).message;
  }
  return compacted;
}

/** The buffers of a result, which are transferred between threads. */
export const buffersOf = (result: Results[keyof Results]): ArrayBufferLike[] =>
  Object.values(result)
    .filter((value) => value instanceof Uint8Array)
    .map(({ buffer }) => buffer as ArrayBufferLike);
