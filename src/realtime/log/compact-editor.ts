import { setTimeout as pause } from 'node:timers/promises';
import type { Db, Tx } from '../../db/tables.ts';
import { emit } from '../../events/emit.ts';
import type { EventPayload } from '../../events/event-catalog.ts';
import { ApiError } from '../../lib/errors.ts';
import {
  claimEditor,
  type DirtyEditor,
  lockUnchanged,
  markAnnounced,
  readDirtyEditor,
  replaceLog,
  type SeenEditor,
} from '../../store/live/crdt-compaction.ts';
import { isSmall, sharedContentPool } from '../document/content-pool.ts';
import { openStored, stateOf } from '../document/stored-content.ts';
import { readContent } from '../edit/read-content.ts';

/** A smaller editor is compacted whenever it has changed. */
const SMALL_BYTES = 262_144;
/** The cost of compacting a larger editor grows with its size, so its log must be long enough to be worth it. */
const LONG_LOG_ROWS = 200;
const BYTES_FOR_ANOTHER_ROW = 2_048;
const LONG_LOG_BYTES = 65_536;
const LONG_LOG_SHARE = 1 / 4;
/** A larger editor is not opened for the event's content alone. */
const MAX_READ_BYTES = 1_048_576;
/** Content in an event, in bytes of JSON. */
const MAX_EVENT_BYTES = 200_000;

/** Compaction has an owner of its own in the thread pool, so that the changes of one API key cannot delay it. */
const POOL_OWNER = 'compaction';

const LOCK_TRIES = 5;
const LOCK_RETRY_MS = 10;

/**
 * Compacts an editor if that is worth it, and emits the event of its changes, in one transaction. Returns false if
 * another node is at it. `onUnreadable` receives the error if the content cannot be read.
 */
export const compactEditor = (
  db: Db,
  editor: DirtyEditor,
  onUnreadable: (error: unknown) => void,
): Promise<boolean> =>
  db.transaction().execute(async (tx) => {
    if (!(await claimEditor(tx, editor))) return false;
    const wanted = { compacted: isWorthCompacting(editor), content: editor.isHeard && isReadable(editor) };
    const seen = await readDirtyEditor(tx, editor, { withContent: wanted.compacted || wanted.content });
    if (!seen) return true;
    const { compacted, content } = await workOn(seen, wanted, onUnreadable);
    if (!(await lock(tx, editor, seen))) return false;
    if (compacted) await replaceLog(tx, editor, seen, compacted);
    await markAnnounced(tx, editor, seen);
    await emit(tx, editor, 'crdt.update_data', eventOf(editor, seen, content));
    return true;
  });

function isWorthCompacting({ snapshotBytes, logBytes, logRows }: DirtyEditor): boolean {
  if (logRows === 0) return false;
  const many = LONG_LOG_ROWS + snapshotBytes / BYTES_FOR_ANOTHER_ROW;
  const much = Math.max(LONG_LOG_BYTES, snapshotBytes * LONG_LOG_SHARE);
  return snapshotBytes < SMALL_BYTES || logRows >= many || logBytes >= much;
}

const isReadable = ({ snapshotBytes, logBytes }: DirtyEditor): boolean =>
  snapshotBytes + logBytes <= MAX_READ_BYTES;

interface Work {
  compacted?: Uint8Array;
  content?: unknown;
}

async function workOn(
  seen: SeenEditor,
  wanted: { compacted: boolean; content: boolean },
  onUnreadable: (error: unknown) => void,
): Promise<Work> {
  if (!wanted.compacted && !wanted.content) return {};
  if (!isSmall(seen)) return await workInThread(seen, wanted, onUnreadable);
  const work: Work = {};
  try {
    const document = openStored(seen);
    if (wanted.compacted) work.compacted = stateOf(document);
    if (wanted.content) work.content = readContent(document, seen);
  } catch (error) {
    // The rows stay as they are, and the event is sent without content.
    onUnreadable(error);
  }
  return work;
}

async function workInThread(
  { snapshot, updates, type, contentKey }: SeenEditor,
  wanted: { compacted: boolean; content: boolean },
  onUnreadable: (error: unknown) => void,
): Promise<Work> {
  const work: Work = {};
  try {
    const { state, json, unreadable } = await sharedContentPool().run<'compact'>(POOL_OWNER, () => ({
      name: 'compact',
      stored: { snapshot, updates },
      declared: wanted.content ? { type, contentKey } : undefined,
      maxBytes: MAX_EVENT_BYTES,
    }));
    if (wanted.compacted) work.compacted = state;
    if (json) work.content = JSON.parse(new TextDecoder().decode(json));
    if (unreadable !== undefined) onUnreadable(new Error(unreadable));
  } catch (error) {
    // The threads are busy; the editor stays due.
    if (error instanceof ApiError && error.status === 'RESOURCE_EXHAUSTED') throw error;
    onUnreadable(error);
  }
  return work;
}

/** Tries the lock a few times, because each update holds it for milliseconds; waiting for it would delay writers. */
async function lock(tx: Tx, editor: DirtyEditor, seen: SeenEditor): Promise<boolean> {
  for (let left = LOCK_TRIES; left > 0; left--) {
    if (await lockUnchanged(tx, editor, seen)) return true;
    await pause(LOCK_RETRY_MS);
  }
  return false;
}

function eventOf(
  { organizationId, documentId, editorId }: DirtyEditor,
  { lastUpdate, lastUpdatedBy, sessionId }: SeenEditor,
  content: unknown,
): EventPayload<'crdt.update_data'> {
  const text = content === undefined ? undefined : JSON.stringify(content);
  const fits = text !== undefined && Buffer.byteLength(text) <= MAX_EVENT_BYTES;
  return {
    organizationId,
    documentId,
    editorId,
    crdtData: {
      id: editorId,
      ...(fits && { data: content }),
      lastUpdate: new Date(lastUpdate).toISOString(),
      lastUpdatedBy,
      sessionId,
    },
    ...(lastUpdatedBy !== null && { actionUser: { userId: lastUpdatedBy } }),
    ...(!fits && { truncated: true as const }),
  };
}
