import { nextSlice } from '../../lib/threads/in-slices.ts';
import { type MemoryDeps, rankJudgments } from '../../memory/ranking/rank.ts';
import type { Finding, Precedent } from '../../shapes/agents/execution.ts';
import { type JudgmentFilters, sidedDecisions } from '../../shapes/memory/judgment.ts';
import { listJudgments, type StoredJudgment } from '../../store/memory/judgments.ts';
import type { PageContext } from '../core/execution-strategy.ts';
import { isEnabled, type Run } from '../core/run-state.ts';
import { anchorOf } from '../findings/finding-anchor.ts';
import type { FindingsWithPrecedents } from '../findings/finding-to-annotation.ts';
import { INJECTION_ISSUE } from '../injection/injection-findings.ts';
import { type Subject, subjectOf } from './finding-subject.ts';
import { type JudgedSubject, judgedSubjects } from './judged-subjects.ts';
import { precedentOf, type SimilarJudgment } from './precedent-of.ts';
import { type RecallScope, recallScopesOf } from './recall-scopes.ts';
import { type EmbeddedSubject, similarityOf } from './subject-similarity.ts';

export type PrecedentContext = MemoryDeps & Pick<PageContext, 'once' | 'log' | 'signal'>;

/** Number of findings of a page that are compared; further ones are reported as they are. */
const MAX_COMPARED = 200;
/** Searches for a page, each of which compares all decisions of its scopes. */
const MAX_SEARCHES = 100;
/** The newest judgments of the same issue type that are compared. */
const SAME_TYPE_LIMIT = 100;
/** Judgments of similar wording that are compared. */
const SIMILAR_LIMIT = 30;
const MIN_SIMILARITY = 0.5;
const MAX_VECTORS = 5_000;
/** Issue types that are always reported. */
const ALWAYS_REPORTED = new Set([INJECTION_ISSUE]);
const SEVERE = new Set(['critical', 'high']);

const DECIDED: JudgmentFilters = { judgeType: 'human', decisions: sidedDecisions };
const REJECTED: JudgmentFilters = { judgeType: 'human', decisions: ['reject', 'disagree'] };

/**
 * Holds back findings that people keep rejecting: a finding has a precedent if people rejected nearly all similar
 * findings, in the narrowest scope with enough decisions. A severe finding is reported nevertheless, with its precedent.
 * A part of the guardrails; if the memory fails, all findings are reported.
 */
export async function applyPrecedents(
  run: Run,
  url: string,
  findings: Finding[],
  context: PrecedentContext,
): Promise<FindingsWithPrecedents> {
  const unchanged: FindingsWithPrecedents = { findings, precedents: new Map() };
  const comparable = findings
    .filter(({ issueType }) => !ALWAYS_REPORTED.has(issueType))
    .slice(0, MAX_COMPARED);
  if (!isEnabled(run.behavior.postProcess?.guardrails) || comparable.length === 0) return unchanged;
  try {
    const scopes = recallScopesOf(run.row);
    if (!(await haveRejections(run, scopes, context))) return unchanged;
    const candidates = candidateFinder(run, context);
    const found = new Map<string, Precedent>();
    for (const finding of comparable) {
      context.signal.throwIfAborted();
      const precedent = await findPrecedent(subjectOf(anchorOf(finding)), scopes, candidates, context);
      if (precedent) found.set(finding.id, precedent);
      await nextSlice();
    }
    const severe = new Set(findings.filter(({ severity }) => SEVERE.has(severity)).map(({ id }) => id));
    return {
      findings: findings.map((finding) => {
        const precedent = found.get(finding.id);
        if (!precedent || !severe.has(finding.id)) return finding;
        const note = `${precedent.note} It is reported since it is ${finding.severity}.`;
        return { ...finding, precedent: { ...precedent, note } };
      }),
      precedents: new Map([...found].filter(([id]) => !severe.has(id))),
    };
  } catch (error) {
    context.signal.throwIfAborted();
    context.log({
      level: 'warn',
      message: `The findings could not be compared with earlier decisions, so all are reported: ${(error as Error).message}`,
      data: { url },
    });
    return unchanged;
  }
}

/** True if a scope has two rejections, without which there is no precedent. Asks the widest scope first. */
async function haveRejections(
  { scope }: Run,
  scopes: readonly RecallScope[],
  { db }: MemoryDeps,
): Promise<boolean> {
  for (const { place } of scopes.toReversed())
    if ((await listJudgments(db, scope, place, REJECTED, 2)).length > 1) return true;
  return false;
}

type FindCandidates = (subject: Subject, scope: RecallScope) => Promise<JudgedSubject[]>;

/** Looks up judgments that may be on a similar subject; memoized for findings of a page that say the same. */
function candidateFinder({ scope }: Run, context: PrecedentContext): FindCandidates {
  const { db, signal } = context;
  const memo = new Map<string, Promise<StoredJudgment[]>>();
  let searches = 0;
  const once = (key: string[], list: () => Promise<StoredJudgment[]>) => {
    const name = JSON.stringify(key);
    const listed = memo.get(name) ?? list();
    memo.set(name, listed);
    return listed;
  };
  return async ({ issueType, fullText }, { scope: name, place }) => {
    const sameType = await once([name, 'type', issueType], () =>
      listJudgments(db, scope, place, { ...DECIDED, contentType: issueType }, SAME_TYPE_LIMIT),
    );
    const similarText = await once([name, 'words', fullText], async () => {
      if (++searches > MAX_SEARCHES) return [];
      const request = { query: fullText, kind: 'content' as const, place, filters: DECIDED, signal };
      const { ranked } = await rankJudgments(context, scope, { ...request, limit: SIMILAR_LIMIT });
      return ranked.filter(({ similarity }) => similarity >= MIN_SIMILARITY).map(({ judgment }) => judgment);
    });
    const all = new Map([...sameType, ...similarText].map((one) => [one.judgmentId, one]));
    return await judgedSubjects(db, scope, [...all.values()]);
  };
}

async function findPrecedent(
  subject: Subject,
  scopes: readonly RecallScope[],
  findCandidates: FindCandidates,
  context: PrecedentContext,
): Promise<Precedent | undefined> {
  const finding = await embed(subject, context);
  for (const scope of scopes) {
    const similar: SimilarJudgment[] = [];
    for (const candidate of await findCandidates(subject, scope)) {
      const similarity = similarityOf(finding, await embed(candidate.subject, context));
      if (similarity !== undefined) similar.push({ judgment: candidate.judgment, similarity });
    }
    const { isDecisive, precedent } = precedentOf(scope.scope, similar);
    if (precedent || isDecisive) return precedent;
  }
  return undefined;
}

const embed = async (subject: Subject, context: PrecedentContext): Promise<EmbeddedSubject> => ({
  subject,
  maskedVector: await vectorOf(subject.maskedText, context),
  fullVector: await vectorOf(subject.fullText, context),
});

/** Cached for the whole run, since the pages of a site tend to have the same faults. */
async function vectorOf(text: string, { embeddings, once, signal }: PrecedentContext): Promise<Float32Array> {
  const cache = once('vectors of findings', () => new Map<string, Float32Array>());
  const cached = cache.get(text);
  if (cached) return cached;
  if (cache.size >= MAX_VECTORS) cache.clear();
  const vector = await embeddings.current.embedQuery(text, { signal });
  cache.set(text, vector);
  return vector;
}
