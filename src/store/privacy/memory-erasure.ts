import { type RawBuilder, sql } from 'kysely';
import type { StoredAnnotation } from '../../annotations/present-annotation.ts';
import { anyOf, json } from '../../db/sql-fragments.ts';
import type { Tx } from '../../db/tables.ts';
import { DELETED_USER, erasePeople, tracesOf } from '../../lib/erase-people.ts';
import type { Fields } from '../../lib/json.ts';
import { syncCommentJudgments } from '../memory/change-judgments.ts';
import { resetMarks } from '../memory/consolidations.ts';
import { forgetVectors } from '../memory/judgments.ts';
import type { ErasedUsers, Key, Step } from './erasure-passes.ts';

const BATCH = 500;

interface Traced {
  judgmentId: string;
  isTheirs: boolean;
  isTraced: boolean;
  reasoning: string;
  content: string | null;
  actionUser: Fields;
  agent: Fields | null;
}

/** Deletes the users' own judgments, and erases them from those of others. */
async function eraseJudgments(
  tx: Tx,
  erased: ErasedUsers,
  place: RawBuilder<unknown>,
  after: Key | undefined,
): Promise<Key | undefined> {
  const behind = after && after.length > 0 ? sql`and judgment_id > ${after[0]}` : sql``;
  const { rows } = await sql<Traced>`
    select judgment_id, reasoning, content, action_user, agent,
      jsonb_exists(${json(erased.userIds)}, reviewer_id) as is_theirs,
      exists (select 1 from jsonb_array_elements_text(${json(tracesOf(erased.userIds))}) as trace(text)
        where strpos(written.text, trace.text) > 0) as is_traced
    from judgments cross join lateral (select concat(to_jsonb(reasoning)::text, to_jsonb(content)::text,
      action_user::text, agent::text) as text offset 0) as written
    where api_key_id = ${erased.apiKeyId} and ${place} ${behind}
    order by judgment_id limit ${BATCH} for update of judgments`.execute(tx);
  const theirs = rows.filter((row) => row.isTheirs).map((row) => row.judgmentId);
  if (theirs.length > 0) {
    await tx
      .deleteFrom('judgments')
      .where('apiKeyId', '=', erased.apiKeyId)
      .where('judgmentId', '=', anyOf(theirs))
      .execute();
  }
  const traced = rows.filter((row) => row.isTraced && !row.isTheirs);
  if (traced.length > 0) {
    const items = traced.map(({ judgmentId, reasoning, content, actionUser, agent }) => ({
      judgmentId,
      ...erasePeople({ reasoning, content, actionUser, agent }, erased.userIds),
    }));
    await sql`
      update judgments set reasoning = item.reasoning, content = item.content, action_user = item."actionUser",
        agent = nullif(item.agent, 'null'), recorded_at = judgments.recorded_at + 1, embedded_with = '',
        claimed_until = 0, review_words = null, content_words = null
      from jsonb_to_recordset(${json(items)}) as item("judgmentId" text, reasoning text, content text,
        "actionUser" jsonb, agent jsonb)
      where judgments.api_key_id = ${erased.apiKeyId} and judgments.judgment_id = item."judgmentId"`.execute(
      tx,
    );
    await forgetVectors(
      tx,
      erased,
      traced.map((row) => row.judgmentId),
    );
  }
  return rows.length < BATCH ? undefined : [rows.at(-1)!.judgmentId];
}

export const judgmentsOfOrganization: Step = {
  name: 'judgments',
  run: (tx, erased, organizationId, after) =>
    eraseJudgments(tx, erased, sql`organization_id = ${organizationId}`, after),
};

/** Imported judgments may have no organization, or one that does not exist here. */
export const judgmentsOfNoOrganization: Step = {
  name: 'judgments elsewhere',
  run: (tx, erased, _, after) =>
    eraseJudgments(
      tx,
      erased,
      sql`not exists (select 1 from organizations
        where organizations.api_key_id = judgments.api_key_id
          and organizations.organization_id = judgments.organization_id)`,
      after,
    ),
};

type Row = Fields;

/** Brings judgments of threads up to date after comments were deleted or changed. */
export async function syncErasedComments(
  tx: Tx,
  erased: ErasedUsers,
  organizationId: string,
  { deleted, changed }: { deleted: readonly Row[]; changed: readonly Row[] },
): Promise<void> {
  const keyOf = (documentId: unknown, annotationId: unknown) => JSON.stringify([documentId, annotationId]);
  const threads = new Map<string, { changed: Row[]; deleted: Row[] }>();
  const threadOf = (row: Row) => {
    const key = keyOf(row.document_id, row.annotation_id);
    const thread = threads.get(key) ?? { changed: [], deleted: [] };
    threads.set(key, thread);
    return thread;
  };
  for (const row of deleted) threadOf(row).deleted.push(row);
  for (const row of changed) threadOf(row).changed.push(row);
  if (threads.size === 0) return;
  const { rows: annotations } = await sql<StoredAnnotation>`
    select * from annotations where api_key_id = ${erased.apiKeyId} and organization_id = ${organizationId}
      and (document_id, annotation_id) in (
        select item ->> 0, item ->> 1 from jsonb_array_elements(${json(
          [...threads.keys()].map((key) => JSON.parse(key) as unknown),
        )}) as one(item))`.execute(tx);
  for (const annotation of annotations) {
    const thread = threads.get(keyOf(annotation.documentId, annotation.annotationId))!;
    await syncCommentJudgments(tx, erased, annotation, {
      changed: thread.changed.map((row) => ({
        commentId: row.comment_id as number,
        body: row.body as Fields,
      })),
      deleted: thread.deleted.map((row) => row.comment_id as number),
    });
  }
}

/** Deletes judgments on annotations that were deleted with their author. */
export async function deleteJudgmentsOn(
  tx: Tx,
  { apiKeyId }: ErasedUsers,
  organizationId: string,
  rows: readonly { documentId: string; annotationId: string }[],
): Promise<void> {
  if (rows.length === 0) return;
  await sql`
    delete from judgments using jsonb_to_recordset(${json(rows)}) as item("documentId" text, "annotationId" text)
    where api_key_id collate "C" = ${apiKeyId} and organization_id = ${organizationId}
      and document_id = item."documentId" and annotation_id = item."annotationId" and origin <> 'import'`.execute(
    tx,
  );
}

/**
 * Deletes the users' profiles, and makes the API key due, so that insights are derived again from the remaining
 * judgments. Patterns and alerts contain no names: they quote the judgments themselves.
 */
export const memoryInsights: Step = {
  name: 'memory_profiles',
  async run(tx, erased) {
    const { apiKeyId, userIds } = erased;
    await tx
      .deleteFrom('memoryProfiles')
      .where('apiKeyId', '=', apiKeyId)
      .where('userId', '=', anyOf(userIds))
      .execute();
    await tx
      .updateTable('memoryAlerts')
      .set({ endedBy: DELETED_USER.userId })
      .where('apiKeyId', '=', apiKeyId)
      .where('endedBy', '=', anyOf(userIds))
      .execute();
    await resetMarks(tx, erased);
    return undefined;
  },
};
