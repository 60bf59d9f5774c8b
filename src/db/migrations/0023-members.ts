import { type Kysely, sql } from 'kysely';

const statements = [
  // People who use the console. `email_key` is set once the address has proved to be theirs; `workspace_id` marks the
  // account to which the credentials of that workspace sign in.
  `create table accounts (
    account_id text primary key, name text not null, email text, email_key text, workspace_id text,
    is_operator boolean not null, created_at bigint not null)`,
  'create unique index accounts_by_email on accounts (email_key) where email_key is not null',
  'create unique index accounts_by_workspace on accounts (workspace_id) where workspace_id is not null',
  'create unique index accounts_of_operator on accounts (is_operator) where is_operator',
  'create index accounts_by_unproved_email on accounts (lower(email)) where email_key is null',
  `create table members (
    workspace_id text not null, member_id text not null, account_id text not null references accounts on delete cascade,
    role text not null, joined_at bigint not null, last_seen_at bigint,
    primary key (workspace_id, member_id))`,
  'create unique index members_by_account on members (account_id, workspace_id)',
  'create index members_in_order on members (workspace_id, joined_at, member_id)',
  `create table invitations (
    workspace_id text not null, invitation_id text not null, email text not null, email_key text not null,
    name text, role text not null, code_hash text not null, mailed_hash text, invited_by text,
    created_at bigint not null, expires_at bigint not null,
    primary key (workspace_id, invitation_id))`,
  'create unique index invitations_by_email on invitations (workspace_id, email_key)',
  'create unique index invitations_by_code on invitations (code_hash)',
  'create unique index invitations_by_mailed on invitations (mailed_hash) where mailed_hash is not null',
  'create index invitations_by_end on invitations (expires_at)',
  'create index invitations_in_order on invitations (workspace_id, created_at desc, invitation_id desc)',
  `create table sessions (
    session_hash text primary key, session_id text not null, account_id text not null references accounts on delete cascade,
    created_at bigint not null, last_used_at bigint not null, ends_at bigint not null,
    address text not null, user_agent text not null)`,
  'create unique index sessions_of_account on sessions (account_id, created_at desc, session_id desc)',
  'create index sessions_by_use on sessions (last_used_at)',
  // Links that sign in once. Without an account, they are the operator's; with digits, they were sent by mail.
  `create table sign_in_links (
    code_hash text primary key, account_id text references accounts on delete cascade, workspace_id text,
    email_key text, digits_hash text, tries integer not null, created_at bigint not null, expires_at bigint not null)`,
  'create unique index sign_in_links_by_email on sign_in_links (email_key) where email_key is not null',
  'create index sign_in_links_by_end on sign_in_links (expires_at)',
  `create table personal_tokens (
    api_key_id text not null, token_id text not null, account_id text not null references accounts on delete cascade,
    token_hash text not null, name text not null, scopes jsonb not null, created_at bigint not null,
    expires_at bigint, last_used_at bigint,
    primary key (api_key_id, token_id))`,
  'create unique index personal_tokens_by_hash on personal_tokens (token_hash)',
  'create index personal_tokens_in_order on personal_tokens (api_key_id, created_at desc, token_id desc)',
  'create index personal_tokens_of_account on personal_tokens (account_id)',
  'create index personal_tokens_by_end on personal_tokens (expires_at) where expires_at is not null',
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
