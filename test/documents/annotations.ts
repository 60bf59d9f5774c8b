import { type TestWorkspace, testApp } from '../service/harness.ts';

export const ADD = '/v2/commentannotations/add';
export const GET = '/v2/commentannotations/get';
export const UPDATE = '/v2/commentannotations/update';
export const DELETE = '/v2/commentannotations/delete';
export const COUNT = '/v2/commentannotations/count/get';
export const PLACE = { organizationId: 'acme', documentId: 'home' };

export const ann = { userId: 'ann', name: 'Ann', email: 'ann@acme.com' };
export const bob = { userId: 'bob', name: 'Bob', email: 'bob@acme.com' };

/** An annotation as a caller sends it: one comment by Ann, and the fields of `more`. */
export const note = (annotationId?: string, more: Record<string, unknown> = {}) => ({
  ...(annotationId !== undefined && { annotationId }),
  commentData: [{ commentText: 'Shorter, please.', from: ann }],
  ...more,
});

/** Adds annotations to a document, which is created if it is missing. */
export const addNotes = (workspace: TestWorkspace, notes: object[], place: object = PLACE) =>
  workspace.must(ADD, { ...place, createDocument: true, commentAnnotations: notes });

/** The record of one annotation, as an API key sees it. */
export const recordOfNote = async (workspace: TestWorkspace, annotationId: string, place: object = PLACE) =>
  (await workspace.must(GET, { ...place, annotationIds: [annotationId] }))[0];

/** Payloads of a workspace's events of one name, oldest first. */
export async function eventPayloads(workspace: TestWorkspace, name: string) {
  const { deps } = await testApp();
  const rows = await deps.db
    .selectFrom('events')
    .select('payload')
    .where('apiKeyId', '=', workspace.apiKeyId)
    .where('name', '=', name)
    .orderBy('seq')
    .execute();
  // biome-ignore lint/suspicious/noExplicitAny: each event has its own payload.
  return rows.map((row) => row.payload as any);
}

/** Names of a workspace's events about annotations, oldest first. */
export async function annotationEventNames(workspace: TestWorkspace) {
  const { deps } = await testApp();
  const rows = await deps.db
    .selectFrom('events')
    .select('name')
    .where('apiKeyId', '=', workspace.apiKeyId)
    .where('name', 'like', 'comment%')
    .orderBy('seq')
    .execute();
  return rows.map((row) => row.name);
}
