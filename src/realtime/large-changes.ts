import type { Db } from '../db/tables.ts';
import { resourceExhausted } from '../lib/errors.ts';
import { packUpdates } from '../lib/update-list.ts';
import { appendUpdates, type EditorKey, loadEditor } from '../store/live/crdt-log.ts';
import type { ContentPool } from './document/content-pool.ts';
import type { LargeChange } from './document/live-editors.ts';
import { idOfEditor } from './document/open-editor.ts';
import { EditorGone } from './log/append-log.ts';
import { updatesStored } from './protocol/editing-metrics.ts';

/** Changes of large editors, which worker threads compute from the stored content. */
export interface LargeChanges {
  /**
   * Computes, stores and delivers a change, after earlier ones of the same editor. Throws EditorGone, and
   * RESOURCE_EXHAUSTED if the earlier ones take too long.
   */
  make(key: EditorKey, change: LargeChange, hooks: Hooks): Promise<void>;
  /** Resolves when the present change of an editor ends; undefined if there is none. */
  underWay(id: string): Promise<unknown> | undefined;
}

interface Hooks {
  /** Resolves once the updates of the open document are stored. */
  settle(): Promise<unknown>;
  /** Broadcasts the stored change. */
  deliver(update: Uint8Array): Promise<void>;
}

const WAIT_MS = 30_000;

export function createLargeChanges(db: Db, pool: ContentPool): LargeChanges {
  const underWay = new Map<string, Promise<unknown>>();

  const make = async (key: EditorKey, change: LargeChange, { settle, deliver }: Hooks): Promise<void> => {
    // The change must replace the updates of the open document, too.
    await settle();
    let incarnation: string | null = null;
    const { update } = await pool.run<'write' | 'restore'>(key.apiKeyId, async () => {
      change.onBegin?.();
      const stored = await loadEditor(db, key, key);
      if (!stored) throw new EditorGone();
      incarnation = stored.incarnation;
      return change.taskOn(stored);
    });
    if (!update) return;
    const payload = packUpdates([update]);
    const append = { ...key, incarnation, newIncarnation: '', payload, userId: null, sessionId: null };
    const [stored] = await appendUpdates(db, [append]);
    if (stored === undefined) throw new EditorGone();
    updatesStored.inc();
    await deliver(update);
  };

  return {
    async make(key, change, hooks) {
      const id = idOfEditor(key);
      const since = performance.now();
      const made = (underWay.get(id) ?? Promise.resolve())
        .catch(() => {})
        .then(() => {
          if (performance.now() - since > WAIT_MS) throw tooMany();
          return make(key, change, hooks);
        });
      underWay.set(id, made);
      try {
        await made;
      } finally {
        if (underWay.get(id) === made) underWay.delete(id);
      }
    },
    underWay: (id) => underWay.get(id)?.catch(() => {}),
  };
}

const tooMany = () => resourceExhausted('Earlier changes of this editor are still being made.', 5);
