import { type Kysely, sql } from 'kysely';

const statements = [
  // Lists of the executions of an API key: all, by status, by start page and by reviewed page.
  'create index executions_by_time on executions (api_key_id, started_at desc, execution_id desc)',
  'create index executions_by_status on executions (api_key_id, status, started_at desc, execution_id desc)',
  `create index executions_of_workflows on executions (api_key_id, started_at desc, execution_id desc)
    where trigger = 'workflow'`,
  // Of the address only its hash, since an index takes no long texts.
  `create index executions_of_url on executions (api_key_id, md5(seed_url), started_at desc, execution_id desc)`,
  'create index execution_pages_of_url on execution_pages (api_key_id, url_hash, execution_id)',
  // People whose token grants something, so that others can mention them before a backend adds them as users.
  `create table token_contacts (
    api_key_id text not null, organization_id text not null, resource_type text not null, resource_id text not null,
    user_id text not null, seen_at bigint not null,
    primary key (api_key_id, organization_id, resource_type, resource_id, user_id))`,
  'create index token_contacts_of_user on token_contacts (api_key_id, user_id)',
  'create index token_contacts_by_age on token_contacts (seen_at)',
  // The beginnings of the words of a name or email. The API key is part of each word, since the index has no other column.
  `create index users_by_word on users using gin (array_to_tsvector(string_to_array(api_key_id || ':' || regexp_replace(
    lower(left(coalesce(name, ''), 120) || ' ' || left(coalesce(email, ''), 120)),
    '[\\s@._+,;:()<>"''/-]+', ' ' || api_key_id || ':', 'g'), ' ')))`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
