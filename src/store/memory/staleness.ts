import { sql } from 'kysely';
import type { Db } from '../../db/tables.ts';
import type { Scope } from '../../lib/scope.ts';

export interface Staleness {
  total: number;
  stale: number;
  /** The one that is longest as it is. */
  oldest: string | null;
}

/** How many knowledge sources were neither uploaded nor changed since a time. */
export async function staleSources(db: Db, { apiKeyId }: Scope, since: number): Promise<Staleness> {
  const { rows } = await sql<Staleness>`
    select count(*) as total, count(*) filter (where touched_at < cast(${since} as bigint)) as stale,
      (array_agg(source_id order by touched_at, source_id))[1] as oldest
    from (
      select source_id, greatest(uploaded_at, contents.updated_at) as touched_at
      from knowledge_sources as sources join knowledge_contents as contents
        on contents.api_key_id = sources.api_key_id and contents.content_id = sources.content_id
      where sources.api_key_id = ${apiKeyId} and contents.status = 'completed') as known`.execute(db);
  return rows[0]!;
}

/** How many patterns rest mostly on judgments from before a time. */
export async function stalePatterns(db: Db, { apiKeyId }: Scope, since: number): Promise<Staleness> {
  const { rows } = await sql<Staleness>`
    select count(*) as total, count(*) filter (where mostly_before < cast(${since} as bigint)) as stale,
      (array_agg(pattern_id order by mostly_before, pattern_id))[1] as oldest
    from memory_patterns where api_key_id = ${apiKeyId}`.execute(db);
  return rows[0]!;
}
