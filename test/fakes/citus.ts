import { sql } from 'kysely';
import type { Db } from '../../src/db/tables.ts';

/**
 * Functions with the names and arguments of Citus that note what they are called with, and refuse what its documentation and
 * source say that it refuses: keys without the distribution column, foreign keys to and from tables elsewhere, actions that
 * could change the distribution column, triggers, and replicas of shards. As with a coordinator that is part of its cluster, a
 * new reference table adopts the tables around it as local ones, unless the setting forbids it. No row moves.
 */
const statements = [
  'create schema fake_citus',
  `create table fake_citus.placed (relation oid primary key, type text not null, key text, colocation integer,
    is_cleaned boolean not null default false)`,
  `create view citus_tables as
    select relation::regclass as table_name, type as citus_table_type, key as distribution_column,
      colocation as colocation_id from fake_citus.placed`,
  `create function citus_version() returns text language sql as $$ select 'Citus 13.2.0 on x86_64' $$`,
  `create function fake_citus.check_foreign_keys(relation regclass, kind text, key text) returns void
    language plpgsql as $$
    declare
      link record;
      target_type text;
    begin
      for link in select conname, confrelid, confupdtype, confdeltype,
          array(select attname::text from unnest(conkey) with ordinality k(n, place)
            join pg_attribute on attrelid = conrelid and attnum = n order by place) as own,
          array(select attname::text from unnest(confkey) with ordinality k(n, place)
            join pg_attribute on attrelid = confrelid and attnum = n order by place) as other
        from pg_constraint where contype = 'f' and conrelid = relation and conparentid = 0
      loop
        select type into target_type from fake_citus.placed where placed.relation = link.confrelid;
        if link.confrelid = relation then target_type := kind; end if;
        if target_type is null then
          raise exception 'referenced table "%" must be a distributed table or a reference table',
            link.confrelid::regclass;
        end if;
        if kind = 'reference' and target_type = 'distributed' then
          raise exception 'foreign keys from reference tables to distributed tables are not supported';
        end if;
        if kind = 'distributed' and target_type = 'local' then
          raise exception 'relations are not colocated or not referencing a reference table';
        end if;
        if kind = 'distributed' and current_setting('citus.shard_replication_factor', true)::int > 1 then
          raise exception 'Citus currently supports foreign key constraints only for "citus.shard_replication_factor = 1"';
        end if;
        if kind = 'distributed' and key = any(link.own) then
          if link.confdeltype in ('n', 'd') then
            raise exception 'SET NULL or SET DEFAULT is not supported in ON DELETE operation when distribution key is included';
          end if;
          if link.confupdtype in ('n', 'd', 'c') then
            raise exception 'SET NULL, SET DEFAULT or CASCADE is not supported in ON UPDATE operation when distribution key is included';
          end if;
        end if;
        if target_type = 'distributed' and array_position(link.own, key) is distinct from array_position(link.other, key) then
          raise exception 'Foreign keys are supported between two colocated tables including partition column in the same ordinal';
        end if;
      end loop;
    end $$`,
  `create function fake_citus.check_triggers(relation regclass) returns void language plpgsql as $$
    begin
      if exists (select from pg_trigger where tgrelid = relation and not tgisinternal) then
        raise exception 'cannot distribute relation "%" because it has triggers', relation;
      end if;
    end $$`,
  `create function create_reference_table(table_name regclass) returns void language plpgsql as $$
    begin
      perform fake_citus.check_triggers(table_name);
      perform fake_citus.check_foreign_keys(table_name, 'reference', null);
      insert into fake_citus.placed values (table_name, 'reference')
        on conflict (relation) do update set type = 'reference' where placed.type = 'local';
      if coalesce(current_setting('citus.enable_local_reference_table_foreign_keys', true), '') <> 'off' then
        with recursive around (relation) as (
          select table_name::oid
          union select l.relation from around join lateral (
            select confrelid from pg_constraint where contype = 'f' and conrelid = around.relation
            union select conrelid from pg_constraint where contype = 'f' and confrelid = around.relation
          ) l (relation) on true)
        insert into fake_citus.placed select relation, 'local' from around on conflict do nothing;
      end if;
    end $$`,
  `create function create_distributed_table(table_name regclass, distribution_column text,
      distribution_type text default 'hash', colocate_with text default 'default', shard_count int default null)
    returns void language plpgsql as $$
    declare
      found text;
      own_group integer;
    begin
      select i.relname into found from pg_index x join pg_class i on i.oid = x.indexrelid
        where x.indrelid = table_name and (x.indisunique or x.indisexclusion) and not exists (
          select from pg_attribute where attrelid = table_name and attname = distribution_column
            and attnum = any(x.indkey::smallint[]));
      if found is not null then
        raise exception 'cannot create constraint on "%": UNIQUE constraint % does not include the partition column',
          table_name, found;
      end if;
      perform fake_citus.check_triggers(table_name);
      if colocate_with = 'none' then
        select coalesce(max(colocation), 0) + 1 into own_group from fake_citus.placed;
      else
        select colocation into own_group from fake_citus.placed
          where relation = colocate_with::regclass and type = 'distributed';
        if own_group is null then
          raise exception 'relation % is not distributed', colocate_with;
        end if;
      end if;
      if exists (select from pg_constraint c join fake_citus.placed p on p.relation = c.conrelid
          where c.contype = 'f' and c.confrelid = table_name and c.conrelid <> c.confrelid and p.type in ('local', 'reference')) then
        raise exception 'foreign keys from reference tables and local tables to distributed tables are not supported';
      end if;
      delete from fake_citus.placed where relation = table_name and type = 'local';
      perform fake_citus.check_foreign_keys(table_name, 'distributed', distribution_column);
      insert into fake_citus.placed values (table_name, 'distributed', distribution_column, own_group);
    end $$`,
  `create function truncate_local_data_after_distributing_table(function_name regclass) returns void
    language plpgsql as $$
    begin
      if exists (select from pg_constraint where contype = 'f' and confrelid = function_name
          and conrelid not in (select relation from fake_citus.placed) and conparentid = 0) then
        raise exception 'cannot truncate a table referenced in a foreign key constraint by a local table';
      end if;
      update fake_citus.placed set is_cleaned = true where relation = function_name;
      if not found then
        raise exception 'supplied parameter is not a distributed relation';
      end if;
    end $$`,
];

/** Adds the fake to a database of its own. */
export async function installCitus(db: Db): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
