import { sql } from 'kysely';
import { z } from 'zod';
import { allOf, json, rowOf } from '../../db/sql-fragments.ts';
import type { MemoryInsightTables } from '../../db/tables/memory-insight-tables.ts';
import type { Db, Tx } from '../../db/tables.ts';
import { DAY_MS } from '../../lib/day.ts';
import type { Scope } from '../../lib/scope.ts';
import { shorten } from '../../lib/text/cut-text.ts';
import type { MemoryPattern } from '../../shapes/memory/memory-insight.ts';

export type PatternRow = MemoryInsightTables['memoryPatterns'];

/** Least number of judgments of a pattern. */
export const MIN_SUPPORT = 3;
const SHOWN_RECORDS = 5;
const SHOWN_REASONING = 300;
const SHOWN_CONTENT = 120;
const STALE_AFTER_MS = 182 * DAY_MS;

/** A pattern as the API returns it, with what callers need to weigh it. */
export interface ListedPattern extends MemoryPattern {
  side: PatternRow['side'];
  /** True if more than 70 % of its judgments are older than six months. */
  isStale: boolean;
}

interface Quote {
  id: string;
  reasoning: string;
  content: string | null;
}

type QuotedRow = Omit<PatternRow, 'apiKeyId' | 'recordIds'> & { quotes: Quote[]; gone: number };

/**
 * The patterns of an API key, or those valid in one organization, newest first. Their text quotes judgments that still
 * exist; patterns that lost their support are omitted.
 */
export async function listPatterns(
  db: Db,
  { apiKeyId }: Scope,
  { organizationId, patternIds }: { organizationId?: string | undefined; patternIds?: readonly string[] },
  limit: number,
): Promise<ListedPattern[]> {
  const here =
    organizationId === undefined ? sql`` : sql`and pattern.organization_id in ('', ${organizationId})`;
  const named =
    patternIds === undefined ? sql`` : sql`and pattern.pattern_id = any(cast(${[...patternIds]} as text[]))`;
  const { rows } = await sql<QuotedRow>`
    select pattern.pattern_id, pattern.organization_id, pattern.content_type, pattern.side, pattern.source_count,
      pattern.leading_count, pattern.unique_reviewers, pattern.confidence, pattern.mostly_before,
      pattern.discovered_at, pattern.updated_at, source.quotes,
      jsonb_array_length(pattern.record_ids) - source.many as gone
    from memory_patterns as pattern cross join lateral (
      select cast(count(*) as integer) as many,
        jsonb_agg(jsonb_build_object('id', judgment_id, 'reasoning', left(reasoning, 600), 'content',
          left(content, 240)) order by rank) filter (where nth <= ${SHOWN_RECORDS}) as quotes
      from (
        select judgments.judgment_id, reasoning, content, item.rank, row_number() over (order by item.rank) as nth
        from jsonb_array_elements_text(pattern.record_ids) with ordinality as item(judgment_id, rank)
        join judgments on judgments.api_key_id = pattern.api_key_id
          and judgments.judgment_id = item.judgment_id
          and coalesce(judgments.agent ->> 'injected', '') <> 'true') as standing) as source
    where pattern.api_key_id = ${apiKeyId} ${here} ${named} and source.many >= ${MIN_SUPPORT}
    order by pattern.updated_at desc, pattern.pattern_id desc limit ${limit}`.execute(db);
  const now = Date.now();
  return rows.map((row) => ({
    patternId: row.patternId,
    ...(row.organizationId === ''
      ? { scope: 'apiKey' as const }
      : { scope: 'org' as const, organizationId: row.organizationId }),
    description: describe(row),
    confidence: row.confidence,
    sourceCount: row.sourceCount - row.gone,
    contentType: row.contentType || null,
    category: CATEGORIES[row.side],
    discoveredAt: row.discoveredAt,
    updatedAt: row.updatedAt,
    enforcementRate: row.leadingCount / row.sourceCount,
    uniqueReviewers: row.uniqueReviewers,
    topSourceRecordIds: row.quotes.map((quote) => quote.id),
    side: row.side,
    isStale: row.mostlyBefore < now - STALE_AFTER_MS,
  }));
}

const CATEGORIES = { approve: 'approved', reject: 'rejected', split: 'disputed' } as const;
const LEADS = {
  approve: 'Reviewers approve',
  reject: 'Reviewers reject',
  split: 'Reviewers are divided about',
} as const;

function describe({ side, quotes, contentType }: QuotedRow): string {
  const [{ reasoning, content }] = quotes as [Quote];
  const what = contentType === '' ? '' : ` ${contentType}`;
  const example =
    content === null || content.trim() === '' ? '' : ` (for example “${line(content, SHOWN_CONTENT)}”)`;
  const said = line(reasoning, SHOWN_REASONING);
  return said === '' ? `${LEADS[side]}${what}${example}.` : `${LEADS[side]}${what}${example}: ${said}`;
}

const line = (text: string, length: number): string => shorten(text.replace(/\s+/g, ' ').trim(), length);

/** Number of patterns of an API key, counted up to `cap`. */
export async function countPatterns(db: Db, { apiKeyId }: Scope, cap: number): Promise<number> {
  const { many } = await db
    .selectFrom(
      db
        .selectFrom('memoryPatterns')
        .select('apiKeyId')
        .where('apiKeyId', '=', apiKeyId)
        .limit(cap)
        .as('few'),
    )
    .select((eb) => eb.fn.countAll<number>().as('many'))
    .executeTakeFirstOrThrow();
  return many;
}

/** Stored patterns of one place: an organization or the whole API key. */
export const listPatternRows = (db: Db, { apiKeyId }: Scope, organizationId: string): Promise<PatternRow[]> =>
  db
    .selectFrom('memoryPatterns')
    .selectAll()
    .where('apiKeyId', '=', apiKeyId)
    .where('organizationId', '=', organizationId)
    .orderBy('patternId')
    .execute();

/** Replaces the patterns of a place: inserts, updates, and deletes the rest. */
export async function writePatterns(
  tx: Tx,
  { apiKeyId }: Scope,
  organizationId: string,
  { kept, written }: { kept: readonly string[]; written: readonly Omit<PatternRow, 'apiKeyId'>[] },
): Promise<void> {
  const staying = [...kept, ...written.map((row) => row.patternId)];
  await tx
    .deleteFrom('memoryPatterns')
    .where('apiKeyId', '=', apiKeyId)
    .where('organizationId', '=', organizationId)
    .where('patternId', '<>', allOf(staying))
    .execute();
  if (written.length === 0) return;
  await sql`
    insert into memory_patterns (api_key_id, pattern_id, organization_id, content_type, side, source_count,
      leading_count, unique_reviewers, confidence, record_ids, mostly_before, discovered_at, updated_at)
    select ${apiKeyId}, item."patternId", ${organizationId}, item."contentType", item.side, item."sourceCount",
      item."leadingCount", item."uniqueReviewers", item.confidence, item."recordIds", item."mostlyBefore",
      item."discoveredAt", item."updatedAt"
    from jsonb_to_recordset(${json(written)}) as item("patternId" text, "contentType" text, side text,
      "sourceCount" integer, "leadingCount" integer, "uniqueReviewers" integer, confidence double precision,
      "recordIds" jsonb, "mostlyBefore" bigint, "discoveredAt" bigint, "updatedAt" bigint)
    on conflict (api_key_id, pattern_id) do update set
      content_type = excluded.content_type, side = excluded.side, source_count = excluded.source_count,
      leading_count = excluded.leading_count, unique_reviewers = excluded.unique_reviewers,
      confidence = excluded.confidence, record_ids = excluded.record_ids,
      mostly_before = excluded.mostly_before, updated_at = excluded.updated_at`.execute(tx);
}

/** `oldest` is the id of the item that is unchanged for longest. */
export const staleness = z.object({ total: z.number(), stale: z.number(), oldest: z.string().nullable() });
export type Staleness = z.output<typeof staleness>;

/** Counts patterns based mostly on judgments from before `since`. */
export const stalePatterns = (db: Db, { apiKeyId }: Scope, since: number): Promise<Staleness> =>
  rowOf(
    db,
    staleness,
    sql`select count(*) as total, count(*) filter (where mostly_before < cast(${since} as bigint)) as stale,
      (array_agg(pattern_id order by mostly_before, pattern_id))[1] as oldest
    from memory_patterns where api_key_id = ${apiKeyId}`,
  );
