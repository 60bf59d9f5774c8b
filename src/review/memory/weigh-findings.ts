import { nextSlice } from '../../lib/threads/in-slices.ts';
import { cacheQueryEmbeddings } from '../../memory/embedding/cached-query-embeddings.ts';
import { type MemoryDeps, rankJudgments } from '../../memory/ranking/rank.ts';
import type { Finding, Precedent } from '../../shapes/agents/execution.ts';
import { type JudgmentFilters, takesSide } from '../../shapes/memory/judgment.ts';
import { listJudgments, type StoredJudgment } from '../../store/memory/judgments.ts';
import type { PageContext } from '../core/execute-task.ts';
import { isOn, type Run } from '../core/run-state.ts';
import { anchorOf } from '../findings/finding-anchor.ts';
import type { WeighedFindings } from '../findings/finding-to-annotation.ts';
import { INJECTION_ISSUE } from '../injection/injection-findings.ts';
import { type Matter, matterOf } from './finding-subject.ts';
import { judgedMatters } from './judged-matters.ts';
import { placesOf, type RunPlace } from './memory-scopes.ts';
import { type CloseJudgment, precedentOf } from './precedent-of.ts';
import { likeness, type Placed } from './subject-likeness.ts';

export type WeighContext = MemoryDeps & Pick<PageContext, 'once' | 'log' | 'signal'>;

/** Of a page; the further ones are reported as they are. */
const MAX_WEIGHED = 200;
/** Of a page; each looks at all decisions of its places. */
const MAX_SEARCHES = 100;
/** Judgments of the same kind of issue that are looked at, the newest. */
const OF_SAME_TYPE = 100;
const OF_LIKE_WORDS = 30;
const LEAST_SIMILARITY = 0.5;
const MAX_VECTORS = 5_000;
const NEVER = new Set([INJECTION_ISSUE]);
const GRAVE = new Set(['critical', 'high']);

const DECIDED: JudgmentFilters = { judgeType: 'human', decisions: takesSide };
const REJECTED: JudgmentFilters = { judgeType: 'human', decisions: ['reject', 'disagree'] };

/**
 * Weighs the findings of a page against what people decided on others like them, in the narrowest place of the run
 * where they decided on any. It is one of the guardrails. Where nothing can be compared, all are reported.
 */
export async function weighFindings(
  run: Run,
  url: string,
  findings: Finding[],
  context: WeighContext,
): Promise<WeighedFindings> {
  const asTheyAre: WeighedFindings = { findings, precedents: new Map() };
  const weighable = findings.filter(({ issueType }) => !NEVER.has(issueType)).slice(0, MAX_WEIGHED);
  if (!isOn(run.behavior.postProcess?.guardrails) || weighable.length === 0) return asTheyAre;
  try {
    const places = placesOf(run.row);
    if (!(await anyRejected(run, places, context))) return asTheyAre;
    const lookUp = judgmentsLike(run, context);
    const found = new Map<string, Precedent>();
    for (const finding of weighable) {
      context.signal.throwIfAborted();
      const precedent = await weigh(matterOf(anchorOf(finding)), places, lookUp, context);
      if (precedent) found.set(finding.id, precedent);
      await nextSlice();
    }
    return {
      findings: findings.map((finding) => {
        const precedent = GRAVE.has(finding.severity) ? found.get(finding.id) : undefined;
        if (!precedent) return finding;
        return {
          ...finding,
          precedent: {
            ...precedent,
            note: `${precedent.note} It is reported since it is ${finding.severity}.`,
          },
        };
      }),
      precedents: new Map(
        findings.flatMap(({ id, severity }) => {
          const precedent = GRAVE.has(severity) ? undefined : found.get(id);
          return precedent ? [[id, precedent] as const] : [];
        }),
      ),
    };
  } catch (error) {
    context.signal.throwIfAborted();
    context.log({
      level: 'warn',
      message: `The findings could not be compared with earlier decisions, so all are reported: ${(error as Error).message}`,
      data: { url },
    });
    return asTheyAre;
  }
}

async function anyRejected(
  { scope }: Run,
  places: readonly RunPlace[],
  { db }: MemoryDeps,
): Promise<boolean> {
  for (const { place } of places.toReversed())
    if ((await listJudgments(db, scope, place, REJECTED, 2)).length > 1) return true;
  return false;
}

type LookUp = (matter: Matter, place: RunPlace) => Promise<{ judgment: StoredJudgment; matter: Matter }[]>;

/** What people decided on that may be like a finding; asked once for all findings of a page that say the same. */
function judgmentsLike({ scope }: Run, context: WeighContext): LookUp {
  const { db, signal } = context;
  const recall: MemoryDeps = { ...context, embeddings: cacheQueryEmbeddings(context.embeddings) };
  const known = new Map<string, Promise<StoredJudgment[]>>();
  let searches = 0;
  const once = (key: string[], list: () => Promise<StoredJudgment[]>) => {
    const name = JSON.stringify(key);
    const asked = known.get(name) ?? list();
    known.set(name, asked);
    return asked;
  };
  return async ({ issueType, whole }, { scope: name, place }) => {
    const sameType = await once([name, 'type', issueType], () =>
      listJudgments(db, scope, place, { ...DECIDED, contentType: issueType }, OF_SAME_TYPE),
    );
    const likeWords = await once([name, 'words', whole], async () => {
      if (++searches > MAX_SEARCHES) return [];
      const request = { query: whole, kind: 'content' as const, place, filters: DECIDED, signal };
      const { ranked } = await rankJudgments(recall, scope, { ...request, limit: OF_LIKE_WORDS });
      return ranked
        .filter(({ similarity }) => similarity >= LEAST_SIMILARITY)
        .map(({ judgment }) => judgment);
    });
    const all = new Map([...sameType, ...likeWords].map((one) => [one.judgmentId, one]));
    return await judgedMatters(db, scope, [...all.values()]);
  };
}

async function weigh(
  matter: Matter,
  places: readonly RunPlace[],
  lookUp: LookUp,
  context: WeighContext,
): Promise<Precedent | undefined> {
  const finding = await placed(matter, context);
  for (const place of places) {
    const close: CloseJudgment[] = [];
    for (const decided of await lookUp(matter, place)) {
      const similarity = likeness(finding, await placed(decided.matter, context));
      if (similarity !== undefined) close.push({ judgment: decided.judgment, similarity });
    }
    const { enough, precedent } = precedentOf(place.scope, close);
    if (precedent || enough) return precedent;
  }
  return undefined;
}

async function placed(matter: Matter, context: WeighContext): Promise<Placed> {
  const { complaint, whole } = matter;
  return { matter, complaint: await vectorOf(complaint, context), whole: await vectorOf(whole, context) };
}

/** Kept for the whole run, since its pages tend to have the same faults. */
async function vectorOf(text: string, { embeddings, once, signal }: WeighContext): Promise<Float32Array> {
  const known = once('vectors of findings', () => new Map<string, Float32Array>());
  const there = known.get(text);
  if (there) return there;
  if (known.size >= MAX_VECTORS) known.clear();
  const vector = await embeddings.current.embedQuery(text, { signal });
  known.set(text, vector);
  return vector;
}
