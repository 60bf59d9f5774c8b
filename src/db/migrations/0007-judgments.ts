import { type Kysely, sql } from 'kysely';

const statements = [
  `create table judgments (
    api_key_id text not null, judgment_id text not null, organization_id text not null,
    document_id text not null, annotation_id text, comment_id bigint, origin text not null,
    decision text not null, reasoning text not null, content text, content_type text,
    confidence double precision, judge_type text not null, reviewer_id text not null,
    action_user jsonb not null, agent jsonb, created_at bigint not null, recorded_at bigint not null,
    review_words tsvector, content_words tsvector, embedded_with text not null default '',
    claimed_until bigint not null default 0,
    primary key (api_key_id, judgment_id))`,
  'create index judgments_in_order on judgments (api_key_id, created_at desc, judgment_id desc)',
  `create index judgments_of_organization on judgments
    (api_key_id, organization_id, created_at desc, judgment_id desc)`,
  `create index judgments_of_document on judgments
    (api_key_id, organization_id, document_id, created_at desc, judgment_id desc)`,
  `create index judgments_of_annotation on judgments
    (api_key_id, organization_id, annotation_id, created_at, judgment_id) where annotation_id is not null`,
  // Judgments that wait for vectors, or have vectors of a model other than the current one.
  'create index judgments_by_model on judgments (embedded_with, api_key_id, judgment_id)',
  // Vectors of any model and length, in the format of `directionOf`; each row names its model.
  `create table judgment_vectors (
    api_key_id text not null, judgment_id text not null, kind text not null, window_index smallint not null,
    organization_id text not null, document_id text not null, model text not null, embedding bytea not null,
    primary key (api_key_id, judgment_id, kind, window_index),
    foreign key (api_key_id, judgment_id) references judgments on delete cascade)`,
  `create index judgment_vectors_in_scope on judgment_vectors
    (api_key_id, kind, organization_id, document_id)`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
