import { sql } from 'kysely';
import { z } from 'zod';
import { json, rowsOf } from '../../db/sql-fragments.ts';
import { emitAll } from '../../events/emit.ts';
import { DELETED_USER } from '../../lib/erase-people.ts';
import type { Fields } from '../../lib/json.ts';
import { releaseOnComments } from '../attachments/release-attachments.ts';
import { auditEntries } from './audit-erasure.ts';
import { type ErasedUsers, erasePage, type Pass, type Step } from './erasure-passes.ts';
import {
  deleteJudgmentsOn,
  judgmentsOfNoOrganization,
  judgmentsOfOrganization,
  memoryInsights,
  syncErasedComments,
} from './memory-erasure.ts';
import { webhookMessages } from './webhook-erasure.ts';

const BATCH = 1_000;

/** A step that deletes rows which belong to a user alone, in batches. */
const removal = (name: string, table: string, key: string[]): Step => ({
  name,
  async run(tx, erased, organizationId) {
    const columns = sql.join(key.map((column) => sql.ref(column)));
    const { numAffectedRows } = await sql`
      delete from ${sql.table(table)}
      where api_key_id = ${erased.apiKeyId} and organization_id = ${organizationId} and (${columns}) in (
        select ${columns} from ${sql.table(table)}
        where api_key_id = ${erased.apiKeyId} and organization_id = ${organizationId} and ${isOf(erased)}
        limit ${BATCH})`.execute(tx);
    return Number(numAffectedRows ?? 0n) < BATCH ? undefined : [];
  },
});

const isOf = ({ userIds }: ErasedUsers) =>
  sql`user_id in (select jsonb_array_elements_text(${json(userIds)}))`;

const passing = (pass: Pass): Step => ({
  name: pass.table,
  run: (tx, erased, organizationId, after) =>
    erasePage(tx, erased, organizationId, pass, after?.length === 0 ? undefined : after),
});

const recipientRow = z.object({ notificationId: z.string() });

/** Deletes recipients, and notifications without any recipient left. */
const recipients: Step = {
  name: 'notification_recipients',
  async run(tx, erased, organizationId) {
    const here = sql`api_key_id = ${erased.apiKeyId} and organization_id = ${organizationId}`;
    const rows = await rowsOf(
      tx,
      recipientRow,
      sql`
      delete from notification_recipients where ${here} and (notification_id, user_id) in (
        select notification_id, user_id from notification_recipients where ${here} and ${isOf(erased)}
        limit ${BATCH})
      returning notification_id`,
    );
    if (rows.length === 0) return undefined;
    const ids = json([...new Set(rows.map((row) => row.notificationId))]);
    const named = sql`notification_id in (select jsonb_array_elements_text(${ids}))`;
    await sql`
      delete from notifications where ${here} and ${named} and not for_all
        and not exists (select 1 from notification_recipients as other
          where other.api_key_id = notifications.api_key_id
            and other.organization_id = notifications.organization_id
            and other.notification_id = notifications.notification_id)`.execute(tx);
    return rows.length < BATCH ? undefined : [];
  },
};

const ofAnnotation = { document_id: 'text', annotation_id: 'text' } as const;

const here = (erased: ErasedUsers, organizationId: string) =>
  sql`api_key_id = ${erased.apiKeyId} and organization_id = ${organizationId}`;

const comments: Pass = {
  table: 'comments',
  key: { ...ofAnnotation, comment_id: 'bigint' },
  inOrganization: true,
  columns: ['body'],
  owner: 'author_id',
  async remove(tx, erased, organizationId, rows) {
    await sql`
      delete from comments where ${here(erased, organizationId)}
        and (document_id, annotation_id, comment_id) in (
          select * from jsonb_to_recordset(${json(rows)})
            as item(document_id text, annotation_id text, comment_id bigint))`.execute(tx);
    await sql`
      delete from reactions where ${here(erased, organizationId)}
        and (document_id, annotation_id, comment_id) in (
          select * from jsonb_to_recordset(${json(rows)})
            as item(document_id text, annotation_id text, comment_id bigint))`.execute(tx);
    await releaseOnComments(tx, erased, organizationId, rows);
    await syncErasedComments(tx, erased, organizationId, { deleted: rows, changed: [] });
    await emitAll(
      tx,
      erased,
      'comment.delete',
      rows.map((row) => ({
        ...idsOf(organizationId, row),
        targetComment: { commentId: row.comment_id },
      })),
    );
    return [];
  },
  follow: (tx, erased, organizationId, rows) =>
    syncErasedComments(tx, erased, organizationId, { deleted: [], changed: rows }),
};

const annotationRow = z.object({ documentId: z.string(), annotationId: z.string() });

/** Comments of other users survive, and so does the annotation they are on. So a deleted one has no comments, and no files. */
const annotations: Pass = {
  table: 'annotations',
  key: ofAnnotation,
  inOrganization: true,
  columns: ['body', 'visibility'],
  owner: 'author_id',
  async remove(tx, erased, organizationId, rows) {
    const gone = await rowsOf(
      tx,
      annotationRow,
      sql`
      delete from annotations where ${here(erased, organizationId)}
        and (document_id, annotation_id) in (
          select * from jsonb_to_recordset(${json(rows)}) as item(document_id text, annotation_id text))
        and not exists (select 1 from comments
          where comments.api_key_id = annotations.api_key_id
            and comments.organization_id = annotations.organization_id
            and comments.document_id = annotations.document_id
            and comments.annotation_id = annotations.annotation_id)
      returning document_id, annotation_id`,
    );
    await deleteJudgmentsOn(tx, erased, organizationId, gone);
    const ids = new Set(gone.map((row) => JSON.stringify([row.documentId, row.annotationId])));
    const isGone = (row: Fields) => ids.has(JSON.stringify([row.document_id, row.annotation_id]));
    await emitAll(
      tx,
      erased,
      'comment_annotation.delete',
      rows.filter(isGone).map((row) => ({ ...idsOf(organizationId, row), ...readersOf(row) })),
    );
    return rows.filter((row) => !isGone(row));
  },
};

/** Event payload of a deletion: ids alone, since the content is to be erased. */
const idsOf = (organizationId: string, row: Fields) => ({
  organizationId,
  documentId: row.document_id as string,
  annotationId: row.annotation_id as string,
  commentAnnotation: { annotationId: row.annotation_id },
  loud: false,
  logged: false,
});

/** Visibility fields, so that the event reaches only users who could see the annotation. */
const readersOf = ({ annotation_id, visibility, body }: Fields) => {
  const { accessFields } = ((body as Fields).context ?? {}) as Fields;
  return {
    ...(visibility !== null && { visibility: visibility as Fields }),
    ...(accessFields !== undefined && {
      commentAnnotation: { annotationId: annotation_id, context: { accessFields } },
    }),
  };
};

const notifications: Pass = {
  table: 'notifications',
  key: { notification_id: 'text' },
  inOrganization: true,
  columns: ['body', 'visibility'],
  owner: 'action_user_id',
  async remove(tx, erased, organizationId, rows) {
    const ids = json(rows.map((row) => row.notification_id));
    await sql`
      delete from notifications where ${here(erased, organizationId)}
        and notification_id in (select jsonb_array_elements_text(${ids}))`.execute(tx);
    return [];
  },
};

/** Contents of live editors belong to all of their authors; only the author's id is erased. */
const renaming = (table: string, column: string): Step => ({
  name: table,
  async run(tx, erased, organizationId) {
    const named = sql`${sql.ref(column)} in (select jsonb_array_elements_text(${json(erased.userIds)}))`;
    await sql`update ${sql.table(table)} set ${sql.ref(column)} = ${DELETED_USER.userId}
      where ${here(erased, organizationId)} and ${named}`.execute(tx);
    return undefined;
  },
});

/** Files that no comment holds yet are given up; those in comments of others belong to these. */
const unusedAttachments: Step = {
  name: 'unused attachments',
  async run(tx, erased, organizationId) {
    const uploaders = sql`select jsonb_array_elements_text(${json(erased.userIds)})`;
    await sql`
      update attachments set used_at = cast(${Date.now()} as bigint)
      where ${here(erased, organizationId)} and comment_id is null and used_at is null
        and uploader_id in (${uploaders})`.execute(tx);
    return undefined;
  },
};

/** Steps for each organization, access first, so that the users cannot go on writing. */
export const organizationSteps: readonly Step[] = [
  removal('grants', 'grants', ['resource_type', 'resource_id', 'user_id']),
  removal('token_contacts', 'token_contacts', ['resource_type', 'resource_id', 'user_id']),
  removal('user_group_members', 'user_group_members', ['group_id', 'user_id']),
  removal('presence', 'presence', ['document_id', 'user_id']),
  removal('notification_settings', 'notification_settings', ['user_id', 'document_id']),
  removal('annotation_views', 'annotation_views', ['document_id', 'annotation_id', 'user_id']),
  removal('reactions', 'reactions', ['document_id', 'annotation_id', 'comment_id', 'reaction_id', 'user_id']),
  removal('notification_emails', 'notification_emails', ['notification_id', 'user_id']),
  recipients,
  unusedAttachments,
  renaming('attachments', 'uploader_id'),
  passing(comments),
  passing(annotations),
  judgmentsOfOrganization,
  passing(notifications),
  passing({
    table: 'activities',
    key: { activity_id: 'text' },
    inOrganization: true,
    columns: ['body'],
    owner: 'user_id',
  }),
  passing({
    table: 'live_states',
    key: { document_id: 'text', live_state_id: 'text' },
    inOrganization: true,
    columns: ['data'],
  }),
  renaming('crdt_editors', 'last_updated_by'),
  renaming('crdt_updates', 'user_id'),
  renaming('crdt_snapshots', 'created_by'),
];

/** A user row stays while the user has a grant anywhere; an erasure in all organizations leaves none. */
const profiles: Step = {
  name: 'users',
  async run(tx, erased) {
    await sql`
      delete from users where api_key_id = ${erased.apiKeyId} and ${isOf(erased)}
        and not exists (select 1 from grants
          where grants.api_key_id = users.api_key_id and grants.user_id = users.user_id)`.execute(tx);
    return undefined;
  },
};

/** Steps for the whole API key, after those of its organizations. */
export const closingSteps: readonly Step[] = [
  passing({
    table: 'executions',
    key: { execution_id: 'text' },
    inOrganization: false,
    columns: ['ran_by', 'request'],
  }),
  passing({
    table: 'review_schedules',
    key: { schedule_id: 'text' },
    inOrganization: false,
    columns: ['request'],
  }),
  // Findings and causes name the people who decided on their suggestions.
  passing({
    table: 'execution_findings',
    key: { execution_id: 'text', page_position: 'bigint', number: 'bigint' },
    inOrganization: false,
    columns: ['body'],
  }),
  passing({
    table: 'finding_records',
    key: { finding_id: 'text' },
    inOrganization: false,
    columns: ['decided', 'body'],
  }),
  passing({
    table: 'execution_causes',
    key: { execution_id: 'text', cause_id: 'text' },
    inOrganization: false,
    columns: ['body'],
  }),
  judgmentsOfNoOrganization,
  passing({ table: 'events', key: { event_id: 'text' }, inOrganization: false, columns: ['payload'] }),
  webhookMessages,
  memoryInsights,
  auditEntries,
  profiles,
];
