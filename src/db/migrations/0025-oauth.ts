import { type Kysely, sql } from 'kysely';

const statements = [
  // A grant of OAuth is a personal token whose access token changes with each refresh. `expires_at` is the end of the grant,
  // and `access_ends_at` that of the access token. A refresh token consists of the part that all of a grant share, and of
  // a secret; the salt belongs to the latest refresh.
  `alter table personal_tokens
    add column is_assistant boolean not null default false,
    add column client_id text,
    add column access_ends_at bigint,
    add column refresh_family text,
    add column refresh_hash text,
    add column previous_refresh_hash text,
    add column refresh_salt text`,
  'create unique index personal_tokens_by_family on personal_tokens (refresh_family) where refresh_family is not null',
  `create table oauth_codes (
    code_hash text primary key, api_key_id text not null, account_id text not null references accounts on delete cascade,
    client_id text not null, client_name text not null, redirect_uri text not null, challenge text not null,
    scopes jsonb not null, resource text, created_at bigint not null, expires_at bigint not null,
    token_id text)`,
  'create index oauth_codes_of_account on oauth_codes (account_id)',
  'create index oauth_codes_by_end on oauth_codes (expires_at)',
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
