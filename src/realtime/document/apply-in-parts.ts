import { setTimeout as pause } from 'node:timers/promises';
import { type Doc, encodeStateAsUpdate, encodeStateVector } from 'yjs';
import { unpackUpdates } from '../../lib/update-list.ts';
import { type ContentPool, sharedContentPool } from './content-pool.ts';
import { addsContent, cutDeletions, deletesMany } from './cut-deletions.ts';
import { applyUpdates, type OpenEditor, STORED } from './open-editor.ts';
import { sliceUpdate } from './slice-update.ts';
import { onlyDeletes } from './update-guard.ts';

/** A larger update may take long on a large document, because it may split structs all over it. */
const SMALL_UPDATE_BYTES = 4_096;
/** A document and its updates up to this size together take a few milliseconds. */
const SMALL_BYTES = 131_072;
/** Time slice of the main thread for applying parts. */
const PART_MS = 5;
/** Pause between slices; a request needs several turns of the event loop. */
const PAUSE_MS = 3;

/**
 * The update events for listeners of the document: each update as a whole once it is applied, the difference to before,
 * or none while the document is being opened.
 */
type Announcement = 'updates' | 'difference' | 'none';

/**
 * Applies stored updates to an open document, after those that are being applied. Large ones are sliced in a thread and
 * applied in parts. No event is sent before all parts are applied: clients with a part of them would delete formatting
 * that is not closed yet as superfluous.
 */
export function applyInTurn(
  editor: OpenEditor,
  updates: Uint8Array[],
  announce: Announcement,
  pool: ContentPool = sharedContentPool(),
): Promise<void> | undefined {
  if (!editor.applying && isLight(editor, updates)) {
    applyUpdates(editor.document, updates);
    return undefined;
  }
  const before = editor.applying ?? Promise.resolve();
  const applying = before.catch(() => {}).then(() => applyNow(editor, updates, announce, pool));
  editor.applying = applying;
  const isDone = () => {
    if (editor.applying === applying) editor.applying = undefined;
  };
  applying.then(isDone, isDone);
  return applying;
}

/** Waits until nothing is being applied. Errors go to the callers of `applyInTurn` only. */
export async function untilApplied(editor: OpenEditor): Promise<void> {
  while (editor.applying) await editor.applying.catch(() => {});
}

const sizeOf = (updates: readonly Uint8Array[]): number =>
  updates.reduce((sum, { length }) => sum + length, 0);

function isLight({ document, bytes }: OpenEditor, updates: readonly Uint8Array[]): boolean {
  const size = sizeOf(updates);
  if (size + bytes <= SMALL_BYTES) return true;
  return size <= SMALL_UPDATE_BYTES && updates.every((update) => !deletesMany(document, update));
}

/** True if a client's message says something new and takes long to apply. */
export const takesLong = (editor: OpenEditor, update: Uint8Array): boolean =>
  !isLight(editor, [update]) &&
  (addsContent(editor.document, update) || deletesMany(editor.document, update));

async function applyNow(
  editor: OpenEditor,
  updates: Uint8Array[],
  announce: Announcement,
  pool: ContentPool,
): Promise<void> {
  const { document } = editor;
  if (document.isDestroyed) return;
  if (isLight(editor, updates)) return applyUpdates(document, updates);
  const parts =
    sizeOf(updates) <= SMALL_UPDATE_BYTES
      ? updates.flatMap((one) => sliceUpdate(one))
      : await cut(editor, updates, pool);
  if (document.isDestroyed) return;
  // Opening a document must not wait for a free thread or fail without one.
  if (!parts) return applyUpdates(document, updates);
  const stateBefore = announce === 'difference' ? encodeStateVector(document) : undefined;
  const steps = stepsOf(document, parts);
  for (let step = steps.next(); !step.done; ) {
    const until = performance.now() + PART_MS;
    withoutEvents(document, () => {
      do {
        // One transaction each, because the end of a transaction takes long.
        applyUpdates(document, [step.value as Uint8Array]);
        step = steps.next();
      } while (!step.done && performance.now() < until);
    });
    await pause(PAUSE_MS);
    if (document.isDestroyed) return;
  }
  const news = stateBefore ? [encodeStateAsUpdate(document, stateBefore)] : updates;
  if (announce === 'none') return;
  for (const update of news) document.emit('update', [update, STORED, document, undefined as never]);
}

function* stepsOf(document: Doc, parts: readonly Uint8Array[]): Generator<Uint8Array> {
  for (const part of parts) {
    if (onlyDeletes(part)) yield* cutDeletions(document, part);
    else yield part;
  }
}

async function cut(
  { key }: OpenEditor,
  updates: Uint8Array[],
  pool: ContentPool,
): Promise<Uint8Array[] | undefined> {
  try {
    // An owner of its own: opening does not queue behind replacements of the API key.
    const { slices } = await pool.run<'slice'>(`open ${key.apiKeyId}`, () => ({ name: 'slice', updates }));
    return unpackUpdates(slices);
  } catch {
    return undefined;
  }
}

/** Changes a document without update events. */
function withoutEvents(document: Doc, change: () => void): void {
  const listeners = document._observers.get('update');
  document._observers.delete('update');
  try {
    change();
  } finally {
    if (listeners) document._observers.set('update', listeners);
  }
}
