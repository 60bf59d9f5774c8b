import { setTimeout as pause } from 'node:timers/promises';
import { type Doc, encodeStateAsUpdate, encodeStateVector } from 'yjs';
import { unpackUpdates } from '../../lib/update-list.ts';
import { type ContentPool, sharedContentPool } from './content-pool.ts';
import { cutDeletions, deletesMuch, writesAnew } from './cut-deletions.ts';
import { applyUpdates, type OpenEditor, STORED } from './open-editor.ts';
import { sliceUpdate } from './slice-update.ts';
import { onlyDeletes } from './update-guard.ts';

/** Applying an update of this size to a large document may take long, since it may split what lies all over it. */
const SMALL_UPDATE_BYTES = 4_096;
/** Documents and updates of this size together take a few milliseconds at most. */
const SMALL_BYTES = 131_072;
/** How long the main thread applies parts before others have their turn. */
const PART_MS = 5;
/** Requests need several turns of the event loop each. */
const PAUSE_MS = 3;

/**
 * What those hear of it who have the document open: each update as a whole once it is applied; what has changed; or
 * nothing, if there is no one yet.
 */
type Announcement = 'updates' | 'difference' | 'none';

/**
 * Applies updates that are stored to an open document, behind those that are being applied. Large ones are cut in a
 * thread and applied part after part. Nothing of them is heard before all of it is there: clients that got a part
 * would take formatting that is yet to be closed for superfluous, and delete it.
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

/** Waits until nothing is being applied to a document; its failures are for those who asked for it. */
export async function untilApplied(editor: OpenEditor): Promise<void> {
  while (editor.applying) await editor.applying.catch(() => {});
}

const sizeOf = (updates: readonly Uint8Array[]): number =>
  updates.reduce((sum, { length }) => sum + length, 0);

function isLight({ document, bytes }: OpenEditor, updates: readonly Uint8Array[]): boolean {
  const size = sizeOf(updates);
  if (size + bytes <= SMALL_BYTES) return true;
  return size <= SMALL_UPDATE_BYTES && updates.every((update) => !deletesMuch(document, update));
}

/** True if a client's message says something new and takes long to apply. */
export const takesLong = (editor: OpenEditor, update: Uint8Array): boolean =>
  !isLight(editor, [update]) && (writesAnew(editor.document, update) || deletesMuch(editor.document, update));

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
  // Opening waits for no one, and must not fail for what may be done slower.
  if (!parts) return applyUpdates(document, updates);
  const stateBefore = announce === 'difference' ? encodeStateVector(document) : undefined;
  const steps = stepsOf(document, parts);
  for (let step = steps.next(); !step.done; ) {
    const until = performance.now() + PART_MS;
    unheard(document, () => {
      do {
        // Each in a transaction of its own, whose end is what takes long.
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
    // Whoever opens a document does not wait behind what its API key has replaced.
    const { slices } = await pool.run<'slice'>(`open ${key.apiKeyId}`, () => ({ name: 'slice', updates }));
    return unpackUpdates(slices);
  } catch {
    return undefined;
  }
}

/** Changes a document without an event for it. */
function unheard(document: Doc, change: () => void): void {
  const listeners = document._observers.get('update');
  document._observers.delete('update');
  try {
    change();
  } finally {
    if (listeners) document._observers.set('update', listeners);
  }
}
