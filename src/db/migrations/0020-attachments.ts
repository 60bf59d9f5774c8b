import { type Kysely, sql } from 'kysely';

const DOCUMENT = 'api_key_id, organization_id, document_id';

const statements = [
  // Files of comments. A row outlives its comment and its document, until the file is deleted: it then names neither.
  `create table attachments (
    api_key_id text not null, attachment_id text not null, organization_id text not null, document_id text,
    annotation_id text, comment_id bigint, uploader_id text, file_name text not null, mime_type text not null,
    byte_size integer not null, width integer, height integer, blob_key text, created_at bigint not null,
    upload_until bigint not null, uploaded_at bigint, used_at bigint,
    primary key (api_key_id, attachment_id),
    constraint attachments_on_document foreign key (${DOCUMENT})
      references documents on delete set null (document_id) on update cascade,
    constraint attachments_of_comment foreign key (${DOCUMENT}, annotation_id, comment_id)
      references comments on delete set null (annotation_id, comment_id) on update cascade)`,
  `create index attachments_in_order on attachments (${DOCUMENT}, created_at desc, attachment_id desc)`,
  `create index attachments_by_comment on attachments (${DOCUMENT}, annotation_id, comment_id)
    where comment_id is not null`,
  `create index attachments_unused on attachments (api_key_id, uploader_id, created_at) where comment_id is null`,
  'create index attachments_to_prune on attachments (created_at) where comment_id is null',
  `create index attachments_to_delete on attachments (created_at)
    where document_id is null or (used_at is not null and comment_id is null)`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
