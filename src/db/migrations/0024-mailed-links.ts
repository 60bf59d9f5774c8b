import { type Kysely, sql } from 'kysely';

const statements = [
  // Mailed links are kept for each network that asked for one, so that a stranger can neither replace nor void another's.
  `alter table sign_in_links add column network text not null default '',
    add column tries_elsewhere integer not null default 0`,
  'drop index sign_in_links_by_email',
  'create unique index sign_in_links_by_email on sign_in_links (email_key, network) where email_key is not null',
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
