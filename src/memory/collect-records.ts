import type { Fields } from '../lib/json.ts';
import type { Scope } from '../lib/scope.ts';
import { cutText } from '../lib/text/cut-text.ts';
import type { JudgmentFilters, MemoryPlace } from '../shapes/memory/judgment.ts';
import { listAlerts } from '../store/memory/alerts.ts';
import { listJudgments, type StoredJudgment } from '../store/memory/judgments.ts';
import { listPatterns } from '../store/memory/patterns.ts';
import { findProfile } from '../store/memory/profiles.ts';
import { findKnowledge } from './knowledge/find-knowledge.ts';
import { type MemoryDeps, type Ranked, rankJudgments } from './ranking/rank.ts';

/** A record of the memory in the form that a model reads. */
export interface MemoryRecord {
  /** Id for citations: a judgment or a knowledge source; undefined for records derived from judgments. */
  recordId: string | undefined;
  text: string;
  /** Text that snippets are cut from. */
  quote: string;
}

export interface ContextRequest {
  question: string;
  place: MemoryPlace;
  filters: JudgmentFilters;
  byTime: boolean;
}

const MAX_JUDGMENTS = 24;
const MAX_CHUNKS = 6;
const MAX_PATTERNS = 8;
const MAX_ALERTS = 5;
const MAX_PROFILES = 3;
const MAX_TEXT = 2_000;
/** Minimum similarity or score of a record. */
const MIN_SIMILARITY = 0.15;

/**
 * Collects the records for a question: judgments, and, unless filters narrow them down, knowledge and what is derived
 * from all judgments (patterns, alerts, profiles). Throws `EmbedFailure`.
 */
export async function collectRecords(
  recall: MemoryDeps,
  scope: Scope,
  request: ContextRequest,
): Promise<MemoryRecord[]> {
  const judgments = (await findJudgments(recall, scope, request)).filter(
    // Judgments that a prompt injection may have influenced are no evidence.
    ({ agent }) => agent?.injected !== true,
  );
  const records = judgments.slice(0, MAX_JUDGMENTS).map(judgmentRecord);
  const isNarrowed = request.byTime || Object.values(request.filters).some((value) => value !== undefined);
  return isNarrowed ? records : [...records, ...(await findDerived(recall, scope, request, judgments))];
}

async function findJudgments(
  recall: MemoryDeps,
  scope: Scope,
  { question, place, filters, byTime }: ContextRequest,
): Promise<StoredJudgment[]> {
  if (filters.annotationId !== undefined) {
    return await listJudgments(recall.db, scope, place, filters, MAX_JUDGMENTS, 'asc');
  }
  if (byTime) return await listJudgments(recall.db, scope, place, filters, MAX_JUDGMENTS);
  const best = new Map<string, Ranked>();
  for (const kind of ['review', 'content'] as const) {
    const request = { query: question, kind, place, filters, limit: MAX_JUDGMENTS };
    for (const one of (await rankJudgments(recall, scope, request)).ranked) {
      const other = best.get(one.judgment.judgmentId);
      if (other === undefined || other.score < one.score) best.set(one.judgment.judgmentId, one);
    }
  }
  return [...best.values()]
    .filter(({ similarity, score }) => Math.max(similarity, score) >= MIN_SIMILARITY)
    .sort((one, other) => other.score - one.score)
    .map(({ judgment }) => judgment);
}

async function findDerived(
  recall: MemoryDeps,
  scope: Scope,
  { question, place }: ContextRequest,
  judgments: readonly StoredJudgment[],
): Promise<MemoryRecord[]> {
  const { db } = recall;
  const chunks = await findKnowledge(recall, scope, {
    query: question,
    place,
    limit: MAX_CHUNKS,
    includeRules: true,
  });
  const patterns = await listPatterns(db, scope, { organizationId: place.organizationId }, MAX_PATTERNS);
  // Alerts and profiles span all organizations.
  const isOfKey = place.organizationId === undefined;
  const alerts = isOfKey ? await listAlerts(db, scope, MAX_ALERTS) : [];
  const reviewers = isOfKey ? [...new Set(judgments.map(({ reviewerId }) => reviewerId))] : [];
  const profiles = [];
  for (const userId of reviewers.slice(0, MAX_PROFILES)) {
    profiles.push((await findProfile(db, scope, userId)) ?? []);
  }
  return [
    ...chunks
      // Without a distance, relevance is unknown.
      .filter(({ distance }) => distance !== undefined && 1 - distance >= MIN_SIMILARITY)
      .map(({ sourceId, fileName, heading, text }) => ({
        recordId: sourceId,
        text: lines({ kind: 'part of a file', file: fileName, under: heading, text }),
        quote: text,
      })),
    ...patterns.map(({ description, confidence, sourceCount }) =>
      derived({ kind: 'pattern among decisions', description, confidence, decisions: sourceCount }),
    ),
    ...alerts.map(({ title, description, severity }) =>
      derived({ kind: 'alert', title, description, severity }),
    ),
    ...profiles
      .flat()
      .map(({ name, totalJudgments, approvalRate, topFlags }) =>
        derived({ kind: 'profile of a reviewer', name, totalJudgments, approvalRate, topFlags }),
      ),
  ];
}

function judgmentRecord(judgment: StoredJudgment): MemoryRecord {
  const { judgmentId, decision, reasoning, content, contentType, judgeType, actionUser, agent, createdAt } =
    judgment;
  const isOfAssistant = agent?.isAssistant === true;
  return {
    recordId: judgmentId,
    text: lines({
      kind: isOfAssistant
        ? 'judgment of an AI assistant, without a decision of a person'
        : judgeType === 'agent'
          ? 'judgment of an agent'
          : 'judgment of a person',
      decision,
      by: isOfAssistant ? agent.agentName : actionUser.name,
      on: new Date(createdAt).toISOString().slice(0, 10),
      about: contentType,
      reasoning,
      reviewed: content,
    }),
    quote: reasoning.trim() || content || decision,
  };
}

const derived = (facts: Fields): MemoryRecord => ({
  recordId: undefined,
  text: lines(facts),
  quote: '',
});

/** As JSON, so that no value can imitate another field. */
const lines = (facts: Fields): string =>
  JSON.stringify(
    Object.fromEntries(
      Object.entries(facts)
        .filter(([, value]) => value !== undefined && value !== null && value !== '')
        .map(([name, value]) => [name, typeof value === 'string' ? cutText(value, MAX_TEXT) : value]),
    ),
  );
