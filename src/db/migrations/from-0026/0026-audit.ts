import { type Kysely, sql } from 'kysely';

const statements = [
  // Entries are written in the transaction of the act, without a place in the chain: `seq` and the hashes are set once it has
  // been committed. What may name a person is in columns that can be erased: the chain holds a salted digest of them.
  `create table audit_log (
    workspace_id text not null, entry_id text not null, at bigint not null, api_key_id text, action text not null,
    actor_kind text not null, via text not null, request_id text, target_type text not null,
    organization_id text, document_id text,
    actor_id text, actor_name text, assistant text, address text, user_agent text, actor_salt text,
    actor_digest text not null,
    target_id text, changes text, target_salt text, target_digest text not null,
    seq bigint, previous_hash text, hash text,
    primary key (workspace_id, entry_id))`,
  // Writers pay for the primary key and the next index; the others have only entries that a worker has chained.
  'create index audit_log_unchained on audit_log (workspace_id, at, entry_id) where seq is null',
  'create unique index audit_log_in_chain on audit_log (workspace_id, seq) where seq is not null',
  'create index audit_log_by_time on audit_log (workspace_id, at desc, entry_id desc) where seq is not null',
  'create index audit_log_by_action on audit_log (workspace_id, action, at desc, entry_id desc) where seq is not null',
  'create index audit_log_by_actor on audit_log (workspace_id, actor_id, at desc, entry_id desc) where seq is not null',
  'create index audit_log_by_target on audit_log (workspace_id, target_id, at desc, entry_id desc) where seq is not null',
  // `seq` and `hash` are those of the newest entry of a chain; `anchor_seq` and `anchor_hash` those of the last one that was
  // removed because of its age.
  `create table audit_heads (
    workspace_id text primary key, seq bigint not null, hash text not null,
    anchor_seq bigint not null, anchor_hash text not null,
    check (anchor_seq <= seq))`,
  `create function audit_log_guard() returns trigger language plpgsql as $$
    declare
      chain constant text[] := array['seq', 'previous_hash', 'hash'];
      actor constant text[] := array['actor_id', 'actor_name', 'assistant', 'address', 'user_agent', 'actor_salt'];
      target constant text[] := array['target_id', 'changes', 'target_salt'];
    begin
      if tg_op = 'TRUNCATE' then
        raise exception 'The audit log cannot be emptied.';
      end if;
      if tg_op = 'DELETE' then
        if old.seq is null or not exists (select from audit_heads
            where workspace_id = old.workspace_id and anchor_seq >= old.seq) then
          raise exception 'Only the oldest entries of the audit log can be removed, once the head names them as its anchor.';
        end if;
        return old;
      end if;
      if to_jsonb(new) - chain - actor - target <> to_jsonb(old) - chain - actor - target
        or old.seq is not null and (new.seq, new.previous_hash, new.hash)
          is distinct from (old.seq, old.previous_hash, old.hash)
        or (new.actor_id, new.actor_name, new.assistant, new.address, new.user_agent, new.actor_salt)
            is distinct from (old.actor_id, old.actor_name, old.assistant, old.address, old.user_agent, old.actor_salt)
          and num_nonnulls(new.actor_id, new.actor_name, new.assistant, new.address, new.user_agent, new.actor_salt) > 0
        or (new.target_id, new.changes, new.target_salt)
            is distinct from (old.target_id, old.changes, old.target_salt)
          and num_nonnulls(new.target_id, new.changes, new.target_salt) > 0
      then
        raise exception 'Entries of the audit log cannot be changed, only chained once and erased.';
      end if;
      return new;
    end $$`,
  `create function audit_heads_guard() returns trigger language plpgsql as $$
    begin
      if tg_op <> 'UPDATE' then
        raise exception 'The head of an audit chain cannot be removed.';
      end if;
      if new.workspace_id <> old.workspace_id or new.seq < old.seq or new.anchor_seq < old.anchor_seq then
        raise exception 'The head of an audit chain only moves forward.';
      end if;
      return new;
    end $$`,
  `create trigger audit_log_guard before update or delete on audit_log
    for each row execute function audit_log_guard()`,
  `create trigger audit_log_guard_all before truncate on audit_log
    for each statement execute function audit_log_guard()`,
  `create trigger audit_heads_guard before update or delete on audit_heads
    for each row execute function audit_heads_guard()`,
  `create trigger audit_heads_guard_all before truncate on audit_heads
    for each statement execute function audit_heads_guard()`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
