import { type Kysely, sql } from 'kysely';

/** The columns that a search reads, without the lease of a process that computes vectors. */
const looked = [
  ...['organization_id', 'document_id', 'annotation_id', 'decision', 'reasoning', 'content', 'content_type'],
  ...['judge_type', 'reviewer_id', 'created_at', 'review_words', 'content_words', 'embedded_with', 'changed'],
];

const statements = [
  // Vectors are found by their judgments, which have the organization and document.
  'drop index if exists judgment_vectors_in_scope',
  'alter table judgment_vectors drop column organization_id, drop column document_id',
  // Vectors do not compress.
  'alter table judgment_vectors alter column embedding set storage external',
  'alter table knowledge_vectors alter column embedding set storage external',
  // A process that has a copy of an API key's judgments asks for the changes of transactions that had not ended when
  // it last read. Times or counters cannot tell, because transactions commit in another order than they write.
  `alter table judgments add column changed xid8 not null default '0'`,
  'create index judgments_by_change on judgments (api_key_id, changed)',
  `create function note_judgment_change() returns trigger language plpgsql as $$
    begin
      new.changed := pg_current_xact_id();
      return new;
    end $$`,
  `create trigger judgments_changed before insert or update of ${looked.join(', ')} on judgments
    for each row execute function note_judgment_change()`,
  `create table judgment_deletions (
    api_key_id text not null, judgment_id text not null, changed xid8 not null, deleted_at bigint not null,
    primary key (api_key_id, changed, judgment_id))`,
  'create index judgment_deletions_by_time on judgment_deletions (deleted_at)',
  'create table judgment_deletions_floor (changed xid8 not null)',
  `insert into judgment_deletions_floor values ('0')`,
  `create function note_judgment_deletions() returns trigger language plpgsql as $$
    begin
      insert into judgment_deletions (api_key_id, judgment_id, changed, deleted_at)
      select api_key_id, judgment_id, pg_current_xact_id(), cast(extract(epoch from now()) * 1000 as bigint)
      from gone on conflict do nothing;
      return null;
    end $$`,
  `create trigger judgments_deleted after delete on judgments referencing old table as gone
    for each statement execute function note_judgment_deletions()`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  await leaveExtension(db);
  for (const statement of statements) await sql.raw(statement).execute(db);
}

/** Converts the vectors of earlier versions, which have a type of the extension pgvector. */
async function leaveExtension(db: Kysely<unknown>): Promise<void> {
  const { rows: tables } = await sql<{ name: string }>`
    select attrelid::regclass::text as name from pg_attribute join pg_type on pg_type.oid = atttypid
    where attrelid in ('judgment_vectors'::regclass, 'knowledge_vectors'::regclass)
      and attname = 'embedding' and typname = 'vector'`.execute(db);
  if (tables.length === 0) return;
  // Indexes that were created while the service ran; those on vectors do not fit the new column type.
  const { rows: indexes } = await sql<{ name: string }>`
    select relname as name from pg_index join pg_class on pg_class.oid = indexrelid
    where indrelid in ('judgments'::regclass, 'judgment_vectors'::regclass)
      and relname ~ '^(judgment_vectors_near|judgments_words)_[0-9a-f]{32}$'`.execute(db);
  for (const { name } of indexes) await sql`drop index ${sql.id(name)}`.execute(db);
  // Has the same result as `directionOf`.
  await sql`
    create function pg_temp.direction_of(vector real[]) returns bytea language sql immutable as $$
      select string_agg(int2send(cast(round(value * scale) as smallint)), '' order by place)
      from unnest(vector) with ordinality as component(value, place), (
        select coalesce(32767 / nullif(max(abs(cast(value as double precision))), 0), 0) as scale
        from unnest(vector) as component(value)) as scaling $$`.execute(db);
  for (const { name } of tables)
    await sql`alter table ${sql.table(name)} alter column embedding type bytea
      using pg_temp.direction_of(cast(embedding as real[]))`.execute(db);
  await sql`drop function pg_temp.direction_of`.execute(db);
}
