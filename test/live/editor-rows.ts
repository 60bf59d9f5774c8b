import type { Doc } from 'yjs';
import { packUpdates } from '../../src/lib/update-list.ts';
import { compactDueEditors } from '../../src/realtime/log/compaction.ts';
import { appendUpdates } from '../../src/store/live/crdt-log.ts';
import { type TestWorkspace, testApp } from '../service/harness.ts';
import { editor, withDocument } from './live-node.ts';

/** A workspace with a document, and with a webhook endpoint that receives its events. */
export async function withWebhook(): Promise<TestWorkspace> {
  const w = await withDocument();
  await w.must('/v2/workspace/advancedwebhookconfig/update', { isEnabled: true });
  await w.must('/v2/workspace/advancedwebhook/endpoints/create', { url: 'https://example.com/' });
  return w;
}

export const contentOf = async (w: TestWorkspace): Promise<unknown> =>
  (await w.must('/v2/crdt/get', editor))[0]?.data;

/** The editor row of a workspace and the rows of its append log, in order. */
export async function rowsOf({ apiKeyId }: TestWorkspace) {
  const { deps } = await testApp();
  const [row] = await deps.db
    .selectFrom('crdtEditors')
    .selectAll()
    .where('apiKeyId', '=', apiKeyId)
    .execute();
  const log = await deps.db
    .selectFrom('crdtUpdates')
    .selectAll()
    .where('apiKeyId', '=', apiKeyId)
    .orderBy('seq')
    .execute();
  return { row: row!, log };
}

/** Payloads of the `crdt.update_data` events of a workspace, oldest first. */
export async function updateEventsOf({ apiKeyId }: TestWorkspace) {
  const { deps } = await testApp();
  const rows = await deps.db
    .selectFrom('events')
    .select('payload')
    .where('apiKeyId', '=', apiKeyId)
    .where('name', '=', 'crdt.update_data')
    .orderBy('seq')
    .execute();
  // biome-ignore lint/suspicious/noExplicitAny: tests read payloads of every shape.
  return rows.map(({ payload }) => payload as any);
}

interface Author {
  userId?: string;
  sessionId?: string;
}

/** Appends updates to the log of the editor, as those of a live client. */
export async function appendLive(
  { apiKeyId }: TestWorkspace,
  updates: Uint8Array[],
  { userId = 'ada', sessionId = 'socket-1' }: Author = {},
): Promise<void> {
  const { deps } = await testApp();
  const payload = packUpdates(updates);
  const append = {
    apiKeyId,
    ...editor,
    incarnation: null,
    newIncarnation: 'new',
    payload,
    userId,
    sessionId,
  };
  const [incarnation] = await appendUpdates(deps.db, [append]);
  if (incarnation === undefined) throw new Error('Nothing was stored.');
}

/** Edits a document and appends the resulting updates to the log of the editor. */
export async function writeLive(
  workspace: TestWorkspace,
  document: Doc,
  write: (document: Doc) => void,
  author?: Author,
): Promise<void> {
  const updates: Uint8Array[] = [];
  const collect = (update: Uint8Array) => updates.push(update);
  document.on('update', collect);
  write(document);
  document.off('update', collect);
  await appendLive(workspace, updates, author);
}

/** Compacts the editors that are due within the next `aheadMs`, until none is left. */
export async function compactDueIn(aheadMs: number): Promise<void> {
  const { deps } = await testApp();
  const never = new AbortController().signal;
  while ((await compactDueEditors(deps, Date.now() + aheadMs, never)) > 0);
}
