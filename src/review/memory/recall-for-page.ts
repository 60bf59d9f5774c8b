import { plural } from '../../lib/text/plural.ts';
import { queryVector } from '../../memory/embedding/query-vectors.ts';
import { findKnowledge } from '../../memory/knowledge/find-knowledge.ts';
import type { MemoryDeps } from '../../memory/ranking/rank.ts';
import { EmbedFailure } from '../../outside/embed/vectors/embedder.ts';
import type { LogLine, MemoryEntry, PageContext } from '../core/execution-strategy.ts';
import type { Gathered } from '../core/gathered.ts';
import type { Run } from '../core/run-state.ts';
import { findInjections } from '../injection/find-injections.ts';
import { markEntries, type UnmarkedEntry } from '../prompt/memory-entries.ts';
import { memoryQueries } from './memory-queries.ts';
import { judgmentEntry, recentJudgments, similarJudgments } from './recall-judgments.ts';
import { embedPatterns, nearestPatterns, patternEntry, visiblePatterns } from './recall-patterns.ts';
import { recallScopesOf } from './recall-scopes.ts';

/** Numbers of entries for agents that do not choose their own. */
const DEFAULT_CHUNKS = 8;
const DEFAULT_PATTERNS = 5;
const DEFAULT_ACTIVITIES = 8;

export type RecallContext = MemoryDeps & Pick<PageContext, 'screener' | 'once' | 'log' | 'signal'>;

/**
 * Entries of the memory for the prompt of a page: passages of uploaded knowledge, patterns and judgments that the run
 * may see. Empty unless the agent uses the memory. Parts that fail are missing, with a warning in the log.
 */
export async function recallForPage(
  run: Run,
  { url, gathered }: { url: string; gathered: readonly Gathered[] },
  context: RecallContext,
): Promise<MemoryEntry[]> {
  const wanted = run.behavior.execution?.knowledge ?? {};
  if (wanted.useMemory !== true || run.behavior.execution?.executionStrategy === 'service') return [];
  const { screener, log, signal } = context;
  const queries = memoryQueries(run.behavior.instructions ?? '', url, gathered).map(screener.redact);
  const logLine = (level: LogLine['level'], message: string) => log({ level, message, data: { url } });
  const orNone = async (source: string, recall: () => Promise<UnmarkedEntry[]>): Promise<UnmarkedEntry[]> => {
    try {
      return await recall();
    } catch (error) {
      signal.throwIfAborted();
      const reason = screener.redact((error as Error).message);
      logLine(
        'warn',
        `The memory could not be searched for ${source}; the review continues without: ${reason}`,
      );
      return [];
    }
  };

  let vectors: Float32Array[] | undefined;
  try {
    vectors = await embedAll(run, queries, context);
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof EmbedFailure)) throw error;
    const reason = screener.redact(error.message);
    logLine('warn', `The memory can be searched by age only, not by meaning: ${reason}`);
  }
  const recalled = [
    ...(await orNone('knowledge', () =>
      recallKnowledge(run, queries, wanted.maxChunks ?? DEFAULT_CHUNKS, context),
    )),
    ...(await orNone('patterns', () =>
      recallPatterns(run, vectors, wanted.maxPatterns ?? DEFAULT_PATTERNS, context),
    )),
    ...(await orNone('judgments', () =>
      recallJudgments(run, vectors && queries, wanted.maxActivities ?? DEFAULT_ACTIVITIES, context),
    )),
  ];
  const safe = withoutInjections(recalled, context, url);
  const entries = markEntries(safe);
  if (entries.length < safe.length)
    logLine(
      'info',
      `${safe.length - entries.length} entries of the memory are left out, since the prompt has no room for them.`,
    );
  log(usedLine(url, entries));
  return entries;
}

async function embedAll({ scope }: Run, queries: readonly string[], { embeddings, signal }: RecallContext) {
  const vectors: Float32Array[] = [];
  for (const query of queries) vectors.push(await queryVector(embeddings.current, scope, query, signal));
  return vectors;
}

async function recallKnowledge(
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
  return interleave(found, ({ id }) => id, limit).map(({ sourceId, fileName, kind, id, text, heading }) => ({
    kind,
    id,
    sourceId,
    section: heading ? `${fileName}, ${heading}` : fileName,
    text,
  }));
}

async function recallPatterns(
  { scope, row }: Run,
  vectors: readonly Float32Array[] | undefined,
  limit: number,
  context: RecallContext,
): Promise<UnmarkedEntry[]> {
  const { once, embeddings } = context;
  const visible = await once('memory patterns', () => visiblePatterns(context, scope, row.organizationId));
  if (visible.length === 0) return [];
  if (!vectors || vectors.length === 0) return visible.slice(0, limit).map(patternEntry);
  const embedded = await once('vectors of memory patterns', () => embedPatterns(visible, embeddings.current));
  return nearestPatterns(embedded, vectors, limit).map(patternEntry);
}

/** Half of the judgments are the most similar to the queries, the rest are the newest. */
async function recallJudgments(
  { scope, row }: Run,
  queries: readonly string[] | undefined,
  limit: number,
  context: RecallContext,
): Promise<UnmarkedEntry[]> {
  const scopes = recallScopesOf(row);
  const found = [];
  for (const query of queries ?? [])
    found.push(await similarJudgments(context, scope, scopes, { query, limit, signal: context.signal }));
  const similar = interleave(found, ({ judgmentId }) => judgmentId, limit);
  const recent = await recentJudgments(context, scope, scopes, limit);
  const half = similar.slice(0, Math.ceil(limit / 2));
  return interleave([[...half, ...recent, ...similar]], ({ judgmentId }) => judgmentId, limit).map(
    judgmentEntry,
  );
}

/** Takes the first of each list, then the second of each, and so on, without repeats. */
function interleave<T>(lists: readonly (readonly T[])[], keyOf: (one: T) => string, limit: number): T[] {
  const taken = new Map<string, T>();
  const longest = Math.max(0, ...lists.map(({ length }) => length));
  for (let index = 0; index < longest; index += 1)
    for (const list of lists) {
      const one = list[index];
      if (one !== undefined && !taken.has(keyOf(one))) taken.set(keyOf(one), one);
    }
  return [...taken.values()].slice(0, limit);
}

/**
 * Redacts secrets and drops entries with prompt injections. Each entry is also checked with the one before it, since an
 * injection may be split over two passages.
 */
function withoutInjections(
  entries: readonly UnmarkedEntry[],
  { screener, log }: RecallContext,
  url: string,
): UnmarkedEntry[] {
  const kept: UnmarkedEntry[] = [];
  for (const entry of entries) {
    const safe = { ...entry, text: screener.redact(entry.text), section: screener.redact(entry.section) };
    const own = `${safe.section}\n${safe.text}`;
    const [injection] = findInjections(kept.length === 0 ? own : `${kept.at(-1)!.text}\n${own}`, 'memory');
    if (!injection) kept.push(safe);
    else
      log({
        level: 'warn',
        message: `An entry of the memory is left out, since it tries to instruct its reader (${entry.kind} ${entry.id}): ${injection.reading}`,
        data: { url, kind: entry.kind, id: entry.id, ...(entry.sourceId && { sourceId: entry.sourceId }) },
      });
  }
  return kept;
}

function usedLine(url: string, entries: readonly MemoryEntry[]): LogLine {
  const count = (...kinds: MemoryEntry['kind'][]) =>
    entries.filter(({ kind }) => kinds.includes(kind)).length;
  const [chunks, patterns, activities] = [count('rule', 'chunk'), count('pattern'), count('judgment')];
  return {
    level: 'info',
    message:
      entries.length === 0
        ? 'The memory has no entries for this page.'
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
