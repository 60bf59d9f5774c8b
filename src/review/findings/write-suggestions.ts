import type { StoredAnnotation } from '../../annotations/present-annotation.ts';
import type { Tx } from '../../db/tables.ts';
import { md5 } from '../../lib/ids.ts';
import type { Fields } from '../../lib/json.ts';
import { shorten } from '../../lib/text/cut-text.ts';
import { plural } from '../../lib/text/plural.ts';
import type { AnnotationStrategy } from '../../shapes/agents/agent-behavior.ts';
import type { Finding, HeldBack } from '../../shapes/agents/execution.ts';
import type { DocumentRef } from '../../shapes/refs.ts';
import { type AgentAnnotation, insertAgentAnnotations } from '../../store/annotations/agent-annotations.ts';
import {
  lockSuggestions,
  type Renewal,
  renewSuggestions,
} from '../../store/annotations/agent-suggestions.ts';
import {
  coveringSuggestions,
  isSiteWide,
  siteWideCauses,
} from '../../store/annotations/cause-suggestions.ts';
import { resolveSuggestions } from '../../store/annotations/repaired-suggestions.ts';
import { documentExists } from '../../store/documents/documents.ts';
import { causeOfAddress } from '../causes/cause-of.ts';
import type { LogLine } from '../core/execution-strategy.ts';
import { isEnabled, type Run } from '../core/run-state.ts';
import { annotationStrategyOf } from './annotation-strategy.ts';
import type { IssueFilter } from './compare-with-previous-run.ts';
import { decisionOn, withDecisions } from './decided-findings.ts';
import { type Anchor, anchorOfSuggestion } from './finding-anchor.ts';
import {
  annotationsOf,
  type FindingsWithPrecedents,
  heldBackOf,
  PAGE_FINDING_ID,
  type Prepared,
  pageUrlOf,
} from './finding-to-annotation.ts';
import { matchAnchors } from './match-anchors.ts';

/** Reported and held-back findings of a page, after its suggestions were written. */
export interface WrittenSuggestions {
  /** Each with the id of its annotation. */
  findings: Finding[];
  heldBack: HeldBack[];
  /** Number of new annotations. */
  created: number;
  /** Causes of the agent's site-wide suggestions whose address could not be judged on the page. */
  unjudgedCauses: string[];
  /** Lines for the run's log, to be written once the transaction is committed. */
  notes: LogLine[];
}

const MAX_NAMED = 20;

/**
 * Writes a page's findings as suggestions on the run's document. Findings with a precedent are not reported, unless the
 * document has a suggestion of them from an earlier run. Of the suggestions of earlier runs only those whose issue type
 * passes `isOwnIssue` are touched. With the strategy `causes`, the suggestions are written when all pages are reviewed.
 */
export async function writeSuggestions(
  tx: Tx,
  run: Run,
  document: DocumentRef,
  url: string,
  { findings, precedents, unjudged = new Set() }: FindingsWithPrecedents,
  isOwnIssue: IssueFilter,
): Promise<WrittenSuggestions> {
  const { postProcess: stages = {} } = run.behavior;
  const strategy = annotationStrategyOf(run);
  const isHeldBack = ({ id }: Finding) => precedents.has(id);
  const reported = findings.filter((finding) => !isHeldBack(finding));
  const heldBack = findings.flatMap((finding) => heldBackOf(finding, precedents));
  const unsuggested = {
    findings: reported,
    heldBack,
    created: 0,
    unjudgedCauses: [],
    notes: heldBack.map(heldBackNote),
  };
  if (run.row.documentId === '') return unsuggested;

  // An annotation for the whole page must not mention findings that are held back.
  const annotatable = strategy === 'page-level' ? reported : findings;
  const prepared = annotationsOf(annotatable, url, strategy, run, document);
  const matchOnly = new Set(prepared.findings.flatMap((one) => (isHeldBack(one) && one.commentId) || []));
  const withoutDocument: WrittenSuggestions = {
    ...unsuggested,
    notes: [...unsuggested.notes, DOCUMENT_GONE],
  };

  if (!isEnabled(stages.deletePreviousSuggestions)) {
    if (!(await documentExists(tx, run.scope, document))) return withoutDocument;
    if (strategy === 'causes') return unsuggested;
    const added = prepared.annotations.filter(({ annotationId }) => !matchOnly.has(annotationId));
    const created = await insertAgentAnnotations(tx, run.scope, document, added);
    if (created < added.length) return withoutDocument;
    return { ...unsuggested, findings: prepared.findings.filter((finding) => !isHeldBack(finding)), created };
  }

  const isOwn = (one: Anchor) => isOwnIssue(one.issueType);
  const isGone = ({ url: address }: Anchor) => !unjudged.has(address);
  const filters = { isOwn, isGone, matchOnly };
  const reconciled = await reconcileSuggestions(tx, run, document, url, prepared, filters);
  if (!reconciled) return withoutDocument;
  const { stored, created, kept, repaired, covered } = reconciled;
  const decidedFindings = await withDecisions(
    tx,
    run.scope,
    prepared.findings.filter((finding) => !isHeldBack(finding) || stored.has(finding.id)),
    stored,
  );
  const notStored = heldBack.filter(({ id }) => !stored.has(id));
  const known = decidedFindings.filter(({ decision }) => decision !== undefined);
  return {
    findings: decidedFindings.map((finding) => withStoredId(finding, stored, strategy)),
    heldBack: notStored,
    created,
    unjudgedCauses: await siteWideCauses(
      tx,
      run.scope,
      document,
      run.row.agentId,
      [...unjudged].map((address) => md5(causeOfAddress(address))),
    ),
    notes: [
      ...notStored.map(heldBackNote),
      ...(kept > 0 ? [keptNote(url, kept)] : []),
      ...(known.length > 0 ? [decidedNote(url, known)] : []),
      ...(covered > 0 ? [coveredNote(url, covered)] : []),
      ...(repaired > 0 ? [repairedNote(url, repaired)] : []),
    ],
  };
}

/** The id of the suggestion that stands for a finding; none yet for findings whose causes are annotated later. */
function withStoredId(
  { commentId, ...finding }: Finding,
  stored: ReadonlyMap<string, StoredAnnotation>,
  strategy: AnnotationStrategy,
): Finding {
  const id = stored.get(finding.id)?.annotationId ?? (strategy === 'causes' ? undefined : commentId);
  return id === undefined ? finding : { ...finding, commentId: id };
}

interface Reconciled {
  /** By finding id: the stored suggestion that stands for the finding. */
  stored: ReadonlyMap<string, StoredAnnotation>;
  /** Number of new suggestions. */
  created: number;
  /** Number of suggestions of earlier runs that were found again and are still pending. */
  kept: number;
  /** Number of suggestions whose fault is gone. */
  repaired: number;
  /** Number of findings for which the document has a suggestion of another agent, or one for the whole site. */
  covered: number;
}

interface SuggestionFilters {
  /** Selects the suggestions of earlier runs that may be touched. */
  isOwn(suggestion: Anchor): boolean;
  /** False for a suggestion whose fault may still be there though it was not found. */
  isGone(suggestion: Anchor): boolean;
  /** Ids of suggestions that are not inserted. */
  matchOnly: ReadonlySet<string>;
}

/**
 * Brings an agent's suggestions on a page up to date with this run: suggestions that are found again are kept, and
 * renewed unless people decided on them; those that are not found again are resolved; the rest is inserted, except
 * for findings with a cause for which the document has a suggestion. Returns undefined if
 * the document is gone.
 */
async function reconcileSuggestions(
  tx: Tx,
  { scope, row }: Run,
  document: DocumentRef,
  url: string,
  { annotations, findings, deferred }: Prepared,
  { isOwn, isGone, matchOnly }: SuggestionFilters,
): Promise<Reconciled | undefined> {
  const agentUrl = pageUrlOf(url);
  const all = await lockSuggestions(tx, scope, document, { agentId: row.agentId, agentUrl });
  if (!all) return undefined;
  const own = all.filter((one) => !isSiteWide(one) && isOwn(anchorOfSuggestion(one.body)));
  const matches = matchSuggestions(
    own.toSorted((a, b) => rankOf(a) - rankOf(b)),
    annotations,
  );
  const covering = await coveringSuggestions(tx, scope, document, {
    agentId: row.agentId,
    agentUrl,
    causeIds: annotations.flatMap((next) => (matches.has(next) ? [] : (next.causeId ?? []))),
  });
  const standing = (next: AgentAnnotation): StoredAnnotation | undefined =>
    matches.get(next) ?? (next.causeId === undefined ? undefined : covering.get(next.causeId));
  const byId = new Map(annotations.map((next) => [next.annotationId, next]));
  const stored = new Map(
    findings.flatMap(({ id, commentId }) => {
      const next = commentId === undefined ? undefined : byId.get(commentId);
      const suggestion = next && standing(next);
      return suggestion ? [[id, suggestion] as const] : [];
    }),
  );
  if (deferred) return { stored, created: 0, kept: 0, repaired: 0, covered: 0 };
  const renewals = annotations.flatMap((next): Renewal[] => {
    const match = matches.get(next);
    return match && decisionOn(match) === undefined ? [{ row: match, next }] : [];
  });
  await renewSuggestions(tx, scope, document, renewals);
  const matched = new Set(matches.values());
  const gone = own.filter((one) => isOpen(one) && !matched.has(one) && isGone(anchorOfSuggestion(one.body)));
  await resolveSuggestions(tx, scope, gone, row.executionId);
  const added = annotations.filter((next) => !standing(next) && !matchOnly.has(next.annotationId));
  const created = await insertAgentAnnotations(tx, scope, document, added);
  const covered = annotations.filter((next) => !matches.has(next) && standing(next)).length;
  return { stored, created, kept: renewals.length, repaired: gone.length, covered };
}

/** The open one of equal suggestions stands for a finding before those that people or the agent have closed. */
const rankOf = (one: StoredAnnotation): number => (isOpen(one) ? 0 : decisionOn(one) !== undefined ? 1 : 2);

/** Suggestions about a whole page match whatever they list, unless they were decided on: a page has one at a time. */
function matchSuggestions(
  stored: StoredAnnotation[],
  annotations: AgentAnnotation[],
): Map<AgentAnnotation, StoredAnnotation> {
  const matches = new Map<AgentAnnotation, StoredAnnotation>();
  const ofPage = annotations.find(isOfPage);
  if (ofPage) {
    const candidates = stored.filter(isOfPage);
    const text = textOf(ofPage.body);
    const same =
      candidates.find((candidate) => textOf(candidate.body) === text) ??
      candidates.find((candidate) => !isDecided(candidate));
    if (same) matches.set(ofPage, same);
    return matches;
  }
  const candidates = stored.filter((one) => !isOfPage(one));
  const pairs = matchAnchors(
    candidates.map(({ body }) => anchorOfSuggestion(body)),
    annotations.map(({ body }) => anchorOfSuggestion(body)),
  );
  for (const [current, previous] of pairs) matches.set(annotations[current]!, candidates[previous]!);
  return matches;
}

type WithBody = { body: Fields };

const reasonOf = (body: WithBody['body']) => (body.agent as { reason?: Fields } | undefined)?.reason ?? {};

const isOfPage = ({ body }: WithBody): boolean => reasonOf(body).findingId === PAGE_FINDING_ID;

const textOf = (body: WithBody['body']): string => {
  const { title, description } = anchorOfSuggestion(body);
  return JSON.stringify([title, description]);
};

const isDecided = ({ suggestionStatus }: StoredAnnotation): boolean =>
  suggestionStatus !== null && suggestionStatus !== 'pending';

const isOpen = (one: StoredAnnotation): boolean =>
  one.suggestionStatus === 'pending' && one.body.status?.type !== 'terminal';

const DOCUMENT_GONE: LogLine = {
  level: 'warn',
  message: 'The document was deleted; the findings stay with the execution.',
};

const heldBackNote = ({ id, title, sourceUrl, precedent }: HeldBack): LogLine => ({
  level: 'info',
  message: `${sourceUrl}: held back “${shorten(title, 120)}”. ${precedent.note}`,
  data: {
    url: sourceUrl,
    findingId: id,
    judgments: precedent.judgments.map(({ recordId, similarity }) => ({ recordId, similarity })),
  },
});

const keptNote = (url: string, kept: number): LogLine => ({
  level: 'info',
  message: `${url}: kept ${plural(kept, 'suggestion')} of earlier runs, found again.`,
  data: { url, kept },
});

function decidedNote(url: string, findings: readonly Finding[]): LogLine {
  const named = findings.slice(0, MAX_NAMED).map(({ title, decision, commentId }) => ({
    title: shorten(title, 120),
    decision,
    annotationId: commentId,
  }));
  const noun = findings.length === 1 ? 'finding was' : 'findings were';
  return {
    level: 'info',
    message: `${url}: ${findings.length} ${noun} not suggested again, since people accepted, rejected or resolved the same suggestion before.`,
    data: { url, decided: named },
  };
}

const coveredNote = (url: string, covered: number): LogLine => ({
  level: 'info',
  message: `${url}: ${plural(covered, 'finding')} not suggested, since the document has a suggestion for the same cause.`,
  data: { url, covered },
});

const repairedNote = (url: string, repaired: number): LogLine => ({
  level: 'info',
  message: `${url}: ${plural(repaired, 'suggestion')} resolved, since the fault is gone.`,
  data: { url, repaired },
});
