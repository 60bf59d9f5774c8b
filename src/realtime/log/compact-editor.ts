import { setTimeout as pause } from 'node:timers/promises';
import type { Db, Tx } from '../../db/tables.ts';
import { emit } from '../../events/emit.ts';
import type { EventPayload } from '../../events/event-catalog.ts';
import { ApiError } from '../../lib/errors.ts';
import {
  claimEditor,
  type DirtyEditor,
  foldEditor,
  holdSeen,
  markTold,
  type SeenEditor,
  seeEditor,
} from '../../store/live/crdt-compaction.ts';
import { isSmall, sharedContentPool } from '../document/content-pool.ts';
import { openStored, stateOf } from '../document/stored-content.ts';
import { readContent } from '../edit/read-content.ts';

/** What is smaller is folded whenever somebody was writing in it. */
const SMALL_BYTES = 262_144;
/** Folding what is larger takes the longer the larger it is, so it has to be worth it: */
const MANY_ROWS = 200;
const BYTES_FOR_ANOTHER_ROW = 2_048;
const MUCH_LOG_BYTES = 65_536;
const MUCH_LOG_SHARE = 1 / 4;
/** What is larger is not opened only to be told of. */
const MOST_READ_BYTES = 1_048_576;
/** Content that is told with an event, in bytes of JSON. */
const MOST_TOLD_BYTES = 200_000;

/** Upkeep takes turns with API keys, whose changes would hold up that of all others. */
const POOL_OWNER = 'upkeep';

const HOLD_TRIES = 5;
const HOLD_AGAIN_MS = 10;

/**
 * Folds what was written in an editor into its content, where that is worth it, and tells of it; both or none.
 * Answers false where others are at it. `onUnreadable` gets why the content cannot be read, where that is so.
 */
export const keepUp = (
  db: Db,
  editor: DirtyEditor,
  onUnreadable: (error: unknown) => void,
): Promise<boolean> =>
  db.transaction().execute(async (tx) => {
    if (!(await claimEditor(tx, editor))) return false;
    const wanted = { folded: isWorthFolding(editor), content: editor.isHeard && isReadable(editor) };
    const seen = await seeEditor(tx, editor, { withContent: wanted.folded || wanted.content });
    if (!seen) return true;
    const { folded, content } = await workOn(seen, wanted, onUnreadable);
    if (!(await hold(tx, editor, seen))) return false;
    if (folded) await foldEditor(tx, editor, seen, folded);
    await markTold(tx, editor, seen);
    await emit(tx, editor, 'crdt.update_data', eventOf(editor, seen, content));
    return true;
  });

function isWorthFolding({ snapshotBytes, logBytes, logRows }: DirtyEditor): boolean {
  if (logRows === 0) return false;
  const many = MANY_ROWS + snapshotBytes / BYTES_FOR_ANOTHER_ROW;
  const much = Math.max(MUCH_LOG_BYTES, snapshotBytes * MUCH_LOG_SHARE);
  return snapshotBytes < SMALL_BYTES || logRows >= many || logBytes >= much;
}

const isReadable = ({ snapshotBytes, logBytes }: DirtyEditor): boolean =>
  snapshotBytes + logBytes <= MOST_READ_BYTES;

interface Work {
  folded?: Uint8Array;
  content?: unknown;
}

async function workOn(
  seen: SeenEditor,
  wanted: { folded: boolean; content: boolean },
  onUnreadable: (error: unknown) => void,
): Promise<Work> {
  if (!wanted.folded && !wanted.content) return {};
  if (!isSmall(seen)) return await workInThread(seen, wanted, onUnreadable);
  const work: Work = {};
  try {
    const document = openStored(seen);
    if (wanted.folded) work.folded = stateOf(document);
    if (wanted.content) work.content = readContent(document, seen);
  } catch (error) {
    // Its rows stay as they are, and it is told of without what is in it.
    onUnreadable(error);
  }
  return work;
}

async function workInThread(
  { snapshot, updates, type, contentKey }: SeenEditor,
  wanted: { folded: boolean; content: boolean },
  onUnreadable: (error: unknown) => void,
): Promise<Work> {
  const work: Work = {};
  try {
    const { state, json, unreadable } = await sharedContentPool().run<'fold'>(POOL_OWNER, () => ({
      name: 'fold',
      stored: { snapshot, updates },
      declared: wanted.content ? { type, contentKey } : undefined,
      mostBytes: MOST_TOLD_BYTES,
    }));
    if (wanted.folded) work.folded = state;
    if (json) work.content = JSON.parse(new TextDecoder().decode(json));
    if (unreadable !== undefined) onUnreadable(new Error(unreadable));
  } catch (error) {
    // The threads are busy, and may be free when its turn comes again.
    if (error instanceof ApiError && error.status === 'RESOURCE_EXHAUSTED') throw error;
    onUnreadable(error);
  }
  return work;
}

/** Updates are on their way for some milliseconds each; whoever waited for the lock would hold up the next ones. */
async function hold(tx: Tx, editor: DirtyEditor, seen: SeenEditor): Promise<boolean> {
  for (let left = HOLD_TRIES; left > 0; left--) {
    if (await holdSeen(tx, editor, seen)) return true;
    await pause(HOLD_AGAIN_MS);
  }
  return false;
}

function eventOf(
  { organizationId, documentId, editorId }: DirtyEditor,
  { lastUpdate, lastUpdatedBy, sessionId }: SeenEditor,
  content: unknown,
): EventPayload<'crdt.update_data'> {
  const text = content === undefined ? undefined : JSON.stringify(content);
  const told = text !== undefined && Buffer.byteLength(text) <= MOST_TOLD_BYTES;
  return {
    organizationId,
    documentId,
    editorId,
    crdtData: {
      id: editorId,
      ...(told && { data: content }),
      lastUpdate: new Date(lastUpdate).toISOString(),
      lastUpdatedBy,
      sessionId,
    },
    ...(lastUpdatedBy !== null && { actionUser: { userId: lastUpdatedBy } }),
    ...(!told && { truncated: true as const }),
  };
}
