import type { Db, Tx } from '../../db/tables.ts';
import type { Jobs } from '../../jobs/queue.ts';
import { ApiError, failedPrecondition } from '../../lib/errors.ts';
import type { Scope } from '../../lib/scope.ts';
import { changeRules, listRules, type StoredRule } from '../../store/knowledge/knowledge-items.ts';
import { requireKnowledgeSource } from '../../store/knowledge/knowledge-sources.ts';
import type { Rule } from './find-rules.ts';
import { parseRules } from './parse-file.ts';

export interface RuleDiff {
  added: string[];
  removed: string[];
  unchanged: number;
}

export const ONLY_RULES = 'Version diff is only supported for rule-based knowledge sources.';

/** Equal for texts that differ in white space only. */
const keyOf = (content: string): string => content.replace(/\s+/g, ' ').trim();

/** Replaces the rules of a source by those of a text. Returns the difference. */
export async function updateRules(
  { db, jobs, transaction }: { db: Db; jobs: Jobs; transaction<T>(work: (tx: Tx) => Promise<T>): Promise<T> },
  scope: Scope,
  sourceId: string,
  newContent: string,
): Promise<{ diff: RuleDiff; newVersion: number }> {
  const source = await requireKnowledgeSource(db, scope, sourceId);
  const { contentId, status, kind, version } = source;
  if (status === 'processing') throw failedPrecondition('The source is still being processed.');
  if (status !== 'completed' || kind !== 'rules') throw failedPrecondition(ONLY_RULES);
  const before = await listRules(db, { apiKeyId: scope.apiKeyId, contentId });
  const { kept, removed, added } = compareRules(before, await parseRules(scope.apiKeyId, newContent));
  const change = {
    markdown: newContent,
    fromVersion: version,
    kept,
    removedIds: removed.map(({ id }) => id),
    added: added.map(({ rule, position }) => ({
      kind: 'rule' as const,
      position,
      heading: rule.category,
      text: rule.content,
    })),
  };
  await transaction(async (tx) => {
    if (!(await changeRules(tx, scope, contentId, change)))
      throw new ApiError('ABORTED', 'The source was changed at the same time.', { retryAfterSeconds: 1 });
    if (added.length > 0) await jobs.enqueue(tx, 'memory.knowledge_ingest', { ...scope, contentId });
  });
  return {
    diff: {
      added: added.map(({ rule }) => rule.content),
      removed: removed.map(({ content }) => content),
      unchanged: kept.length,
    },
    newVersion: version + 1,
  };
}

/** Splits rules into kept, removed and added ones. Duplicates are matched one to one. */
export function compareRules(
  before: readonly StoredRule[],
  after: readonly Rule[],
): {
  kept: { itemId: string; position: number; heading: string | null }[];
  removed: StoredRule[];
  added: { rule: Rule; position: number }[];
} {
  const unmatched = Map.groupBy(before, ({ content }) => keyOf(content));
  const kept: { itemId: string; position: number; heading: string | null }[] = [];
  const added: { rule: Rule; position: number }[] = [];
  for (const [position, rule] of after.entries()) {
    const same = unmatched.get(keyOf(rule.content))?.shift();
    if (same) kept.push({ itemId: same.id, position, heading: rule.category });
    else added.push({ rule, position });
  }
  return { kept, removed: [...unmatched.values()].flat(), added };
}
