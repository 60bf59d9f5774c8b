import { plural } from '../../lib/text/plural.ts';
import { cacheQueryEmbeddings } from '../../memory/embedding/cached-query-embeddings.ts';
import { findKnowledge } from '../../memory/knowledge/find-knowledge.ts';
import type { MemoryDeps } from '../../memory/ranking/rank.ts';
import { EmbedFailure } from '../../outside/embed/embedder.ts';
import type { LogLine, MemoryEntry, PageContext } from '../core/execute-task.ts';
import type { Gathered } from '../core/gathered.ts';
import type { Run } from '../core/run-state.ts';
import { findInjections } from '../injection/find-injections.ts';
import { markEntries, type UnmarkedEntry } from '../prompt/memory-entries.ts';
import { memoryQueries } from './memory-queries.ts';
import { placesOf } from './memory-scopes.ts';
import { recentJudgments, rememberedJudgment, similarJudgments } from './recall-judgments.ts';
import { knownPatterns, nearestPatterns, placePatterns, rememberedPattern } from './recall-patterns.ts';

/** Where the agent does not say how many. */
const DEFAULT_CHUNKS = 8;
const DEFAULT_PATTERNS = 5;
const DEFAULT_ACTIVITIES = 8;

export type RecallContext = MemoryDeps & Pick<PageContext, 'screener' | 'once' | 'log' | 'signal'>;

interface Knowledge {
  useMemory?: boolean;
  maxChunks?: number;
  maxPatterns?: number;
  maxActivities?: number;
}

/**
 * What the memory knows for a page: parts of uploaded knowledge, patterns and judgments of the run's place. It fails
 * no run: what cannot be had is missing, and the log says why. Empty unless the agent asks for it.
 */
export async function recallForPage(
  run: Run,
  { url, gathered }: { url: string; gathered: readonly Gathered[] },
  means: RecallContext,
): Promise<MemoryEntry[]> {
  const wanted = (run.behavior.execution?.knowledge ?? {}) as Knowledge;
  if (wanted.useMemory !== true || run.behavior.execution?.executionStrategy === 'service') return [];
  const context = { ...means, embeddings: cacheQueryEmbeddings(means.embeddings) };
  const { screener, log, signal } = context;
  const queries = memoryQueries(run.behavior.instructions ?? '', url, gathered).map(screener.redact);
  const told = (line: Omit<LogLine, 'data'>) => log({ ...line, data: { url } });
  const attempt = async (what: string, work: () => Promise<UnmarkedEntry[]>): Promise<UnmarkedEntry[]> => {
    try {
      return await work();
    } catch (error) {
      signal.throwIfAborted();
      told({
        level: 'warn',
        message: `The memory could not be asked for ${what}, and the review goes on without: ${screener.redact((error as Error).message)}`,
      });
      return [];
    }
  };

  let vectors: Float32Array[] | undefined;
  try {
    vectors = await embedded(queries, context);
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof EmbedFailure)) throw error;
    told({
      level: 'warn',
      message: `What the memory holds can be found by its age alone, not by what it says: ${screener.redact(error.message)}`,
    });
  }
  const remembered = [
    ...(await attempt('knowledge', () =>
      knowledge(run, queries, wanted.maxChunks ?? DEFAULT_CHUNKS, context),
    )),
    ...(await attempt('patterns', () =>
      patterns(run, vectors, wanted.maxPatterns ?? DEFAULT_PATTERNS, context),
    )),
    ...(await attempt('judgments', () =>
      activities(run, vectors && queries, wanted.maxActivities ?? DEFAULT_ACTIVITIES, context),
    )),
  ];
  const safe = withoutOrders(remembered, context, url);
  const entries = markEntries(safe);
  if (entries.length < safe.length)
    told({
      level: 'info',
      message: `${safe.length - entries.length} entries of the memory are left out, since a prompt holds no more of them.`,
    });
  log(usedLine(url, entries));
  return entries;
}

async function embedded(queries: readonly string[], { embeddings, signal }: RecallContext) {
  const vectors: Float32Array[] = [];
  for (const query of queries) vectors.push(await embeddings.current.embedQuery(query, { signal }));
  return vectors;
}

async function knowledge(
  { scope, row: { organizationId, documentId } }: Run,
  queries: readonly string[],
  limit: number,
  context: RecallContext,
): Promise<UnmarkedEntry[]> {
  const found: Awaited<ReturnType<typeof findKnowledge>>[] = [];
  for (const query of queries)
    found.push(
      await findKnowledge(context, scope, {
        query,
        place: { organizationId, documentId },
        limit,
        includeRules: true,
        signal: context.signal,
      }),
    );
  return inTurn(found, ({ id }) => id, limit).map(({ sourceId, fileName, kind, id, text, heading }) => ({
    kind,
    id,
    sourceId,
    section: heading ? `${fileName}, ${heading}` : fileName,
    text,
  }));
}

async function patterns(
  { scope, row }: Run,
  vectors: readonly Float32Array[] | undefined,
  limit: number,
  context: RecallContext,
): Promise<UnmarkedEntry[]> {
  const { once, embeddings } = context;
  const known = await once('memory patterns', () => knownPatterns(context, scope, row.organizationId));
  if (known.length === 0) return [];
  if (!vectors || vectors.length === 0) return known.slice(0, limit).map(rememberedPattern);
  const placed = await once('vectors of memory patterns', () => placePatterns(known, embeddings.current));
  return nearestPatterns(placed, vectors, limit).map(rememberedPattern);
}

/** Half of them like what is asked for, and the rest the newest. */
async function activities(
  { scope, row }: Run,
  queries: readonly string[] | undefined,
  limit: number,
  context: RecallContext,
): Promise<UnmarkedEntry[]> {
  const places = placesOf(row);
  const found = [];
  for (const query of queries ?? [])
    found.push(await similarJudgments(context, scope, places, { query, limit, signal: context.signal }));
  const similar = inTurn(found, ({ judgmentId }) => judgmentId, limit);
  const recent = await recentJudgments(context, scope, places, limit);
  const half = similar.slice(0, Math.ceil(limit / 2));
  return inTurn([[...half, ...recent, ...similar]], ({ judgmentId }) => judgmentId, limit).map(
    rememberedJudgment,
  );
}

/** The first of each list, then the second of each, each thing once. */
function inTurn<T>(lists: readonly (readonly T[])[], keyOf: (one: T) => string, limit: number): T[] {
  const taken = new Map<string, T>();
  const longest = Math.max(0, ...lists.map(({ length }) => length));
  for (let index = 0; index < longest; index += 1)
    for (const list of lists) {
      const one = list[index];
      if (one !== undefined && !taken.has(keyOf(one))) taken.set(keyOf(one), one);
    }
  return [...taken.values()].slice(0, limit);
}

/** The entries without the agent's secrets, and without those that give orders to the reviewer, alone or on end. */
function withoutOrders(
  remembered: readonly UnmarkedEntry[],
  { screener, log }: RecallContext,
  url: string,
): UnmarkedEntry[] {
  const kept: UnmarkedEntry[] = [];
  for (const one of remembered) {
    const safe = { ...one, text: screener.redact(one.text), section: screener.redact(one.section) };
    const own = `${safe.section}\n${safe.text}`;
    const [order] = findInjections(kept.length === 0 ? own : `${kept.at(-1)!.text}\n${own}`, 'memory');
    if (!order) kept.push(safe);
    else
      log({
        level: 'warn',
        message: `An entry of the memory is left out, since it tries to instruct its reader (${one.kind} ${one.id}): ${order.reading}`,
        data: { url, kind: one.kind, id: one.id, ...(one.sourceId && { sourceId: one.sourceId }) },
      });
  }
  return kept;
}

function usedLine(url: string, entries: readonly MemoryEntry[]): LogLine {
  const many = (...kinds: MemoryEntry['kind'][]) => entries.filter(({ kind }) => kinds.includes(kind)).length;
  const [chunks, patterns, activities] = [many('rule', 'chunk'), many('pattern'), many('judgment')];
  return {
    level: 'info',
    message:
      entries.length === 0
        ? 'The memory knows nothing for this page.'
        : `The memory gave ${chunks} rules and passages, ${plural(patterns, 'pattern')} and ${plural(activities, 'judgment')}.`,
    data: {
      url,
      chunks,
      patterns,
      activities,
      used: entries.map(({ mark, kind, id, sourceId }) => ({
        mark,
        kind,
        id,
        ...(sourceId && { sourceId }),
      })),
    },
  };
}
