import type { Db } from '../../db/tables.ts';
import { DAY_MS } from '../../lib/day.ts';
import type { Scope } from '../../lib/scope.ts';
import { staleSources } from '../../store/knowledge/knowledge-sources.ts';
import { type Staleness, stalePatterns } from '../../store/memory/patterns.ts';
import type { AlertCandidate } from './alert-candidate.ts';

const SOURCE_DAYS = 365;
const PATTERN_DAYS = 182;
/** Minimum number of stale items for an alert. */
const MIN_STALE = 3;
const MIN_SHARE = 0.5;

/** Finds alerts about knowledge sources and patterns of which most are out of date. */
export async function findStale(db: Db, scope: Scope, now: number): Promise<AlertCandidate[]> {
  const sources = await staleSources(db, scope, now - SOURCE_DAYS * DAY_MS);
  const patterns = await stalePatterns(db, scope, now - PATTERN_DAYS * DAY_MS);
  return [
    staleness('knowledge', sources, {
      title: 'Most knowledge sources are out of date',
      description: `${sources.stale} of ${sources.total} knowledge sources were neither uploaded nor changed for a year.`,
      suggestedAction: 'Upload what holds today, and delete what no longer does.',
      window: `${SOURCE_DAYS} days`,
      named: { knowledgeSourceId: sources.oldest, ruleRef: null },
    }),
    staleness('patterns', patterns, {
      title: 'Most patterns rest on old judgments',
      description: `Of ${patterns.total} patterns, ${patterns.stale} rest mostly on judgments that are older than six months.`,
      suggestedAction: 'Take what agents say on such grounds with care until reviewers have judged anew.',
      window: `${PATTERN_DAYS} days`,
      named: { knowledgeSourceId: null, ruleRef: patterns.oldest },
    }),
  ].filter((one) => one !== undefined);
}

interface Words {
  title: string;
  description: string;
  suggestedAction: string;
  window: string;
  named: { knowledgeSourceId: string | null; ruleRef: string | null };
}

function staleness(
  subject: string,
  { total, stale }: Staleness,
  { title, description, suggestedAction, window, named }: Words,
): AlertCandidate | undefined {
  if (stale < MIN_STALE || stale < total * MIN_SHARE) return undefined;
  return {
    organizationId: '',
    alertType: 'configuration_drift',
    severity: 'low',
    title,
    description,
    evidence: {
      metric: 'staleReferences',
      baseline: total,
      current: stale,
      window,
      sourceRecordIds: [],
      ...named,
    },
    suggestedAction,
    dedupKey: `configuration_drift:staleReferences:${subject}`,
  };
}
