import type { StoredAnnotation } from '../../annotations/present-annotation.ts';
import type { Tx } from '../../db/tables.ts';
import type { Fields } from '../../lib/json.ts';
import { shorten } from '../../lib/text/cut-text.ts';
import { plural } from '../../lib/text/plural.ts';
import type { Finding, HeldBack } from '../../shapes/agents/execution.ts';
import type { DocumentRef } from '../../shapes/refs.ts';
import { type AgentAnnotation, insertAgentAnnotations } from '../../store/annotations/agent-annotations.ts';
import {
  deleteSuggestions,
  lockSuggestions,
  type Renewal,
  renewSuggestions,
} from '../../store/annotations/agent-suggestions.ts';
import { documentExists } from '../../store/documents/documents.ts';
import type { LogLine } from '../core/execution-strategy.ts';
import { isEnabled, type Run } from '../core/run-state.ts';
import type { IssueFilter } from './compare-with-previous-run.ts';
import { anchorOfSuggestion } from './finding-anchor.ts';
import {
  annotationsOf,
  type FindingsWithPrecedents,
  heldBackOf,
  PAGE_FINDING_ID,
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
  /** Lines for the run's log, to be written once the transaction is committed. */
  notes: LogLine[];
}

const MAX_NAMED = 20;

/**
 * Writes a page's findings as suggestions on the run's document. Findings with a precedent are not reported, unless the
 * document has a suggestion of them from an earlier run. Of the suggestions of earlier runs only those whose issue type
 * passes `isOwnIssue` are touched.
 */
export async function writeSuggestions(
  tx: Tx,
  run: Run,
  document: DocumentRef,
  url: string,
  { findings, precedents }: FindingsWithPrecedents,
  isOwnIssue: IssueFilter,
): Promise<WrittenSuggestions> {
  const { postProcess: stages = {} } = run.behavior;
  const strategy = isEnabled(stages.annotations) ? (stages.annotations?.strategy ?? 'findings') : 'none';
  const isHeldBack = ({ id }: Finding) => precedents.has(id);
  const reported = findings.filter((finding) => !isHeldBack(finding));
  const heldBack = findings.flatMap((finding) => heldBackOf(finding, precedents));
  const unsuggested = { findings: reported, heldBack, created: 0, notes: heldBack.map(heldBackNote) };
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
    const added = prepared.annotations.filter(({ annotationId }) => !matchOnly.has(annotationId));
    const created = await insertAgentAnnotations(tx, run.scope, document, added);
    if (created < added.length) return withoutDocument;
    return { ...unsuggested, findings: prepared.findings.filter((finding) => !isHeldBack(finding)), created };
  }

  const reconciled = await reconcileSuggestions(
    tx,
    run,
    document,
    url,
    prepared.annotations,
    isOwnIssue,
    matchOnly,
  );
  if (!reconciled) return withoutDocument;
  const { storedIds, created, kept, decided } = reconciled;
  const isStored = ({ commentId }: Finding) => commentId !== undefined && storedIds.has(commentId);
  const storedFindings = new Set(prepared.findings.filter(isStored).map(({ id }) => id));
  const notStored = heldBack.filter(({ id }) => !storedFindings.has(id));
  return {
    findings: withStoredIds(
      prepared.findings.filter((finding) => !isHeldBack(finding) || isStored(finding)),
      storedIds,
    ),
    heldBack: notStored,
    created,
    notes: [
      ...notStored.map(heldBackNote),
      ...(kept > 0 ? [keptNote(url, kept)] : []),
      ...(decided.length > 0 ? [decidedNote(url, decided)] : []),
    ],
  };
}

/** Replaces the ids of new annotations by those of the suggestions of earlier runs that were recognized as the same. */
const withStoredIds = (findings: Finding[], storedIds: Reconciled['storedIds']): Finding[] =>
  findings.map((finding) => {
    const commentId = finding.commentId && storedIds.get(finding.commentId);
    return commentId ? { ...finding, commentId } : finding;
  });

interface Decided {
  annotationId: string;
  status: string;
  title: string;
}

interface Reconciled {
  /** Number of new suggestions. */
  created: number;
  /** Number of suggestions of earlier runs that were found again and are still pending. */
  kept: number;
  /** Suggestions that were found again after people accepted or rejected them. */
  decided: Decided[];
  /** Ids of stored suggestions, by the id of the new annotation that was recognized as the same. */
  storedIds: Map<string, string>;
}

/**
 * Brings an agent's suggestions on a page up to date with this run: suggestions that are found again are kept, and
 * renewed unless they were decided on; pending ones that are not found again are deleted; the rest is inserted, except
 * for the ids in `matchOnly`. A suggestion whose thread was resolved without a decision is left alone and suggested
 * again, since its issue was declared done but is still found. Returns undefined if the document is gone.
 */
async function reconcileSuggestions(
  tx: Tx,
  { scope, row }: Run,
  document: DocumentRef,
  url: string,
  annotations: AgentAnnotation[],
  isOwnIssue: IssueFilter,
  matchOnly: ReadonlySet<string>,
): Promise<Reconciled | undefined> {
  const page = { agentId: row.agentId, agentUrl: pageUrlOf(url) };
  const all = await lockSuggestions(tx, scope, document, page);
  if (!all) return undefined;
  const stored = all.filter((one) => (isDecided(one) || isOpen(one)) && isOwnIssue(issueTypeOf(one)));
  const matches = matchSuggestions(stored, annotations);
  const renewals: Renewal[] = [];
  const decided: Decided[] = [];
  const storedIds = new Map<string, string>();
  for (const next of annotations) {
    const match = matches.get(next);
    if (!match) continue;
    storedIds.set(next.annotationId, match.annotationId);
    if (isDecided(match)) {
      const { title } = anchorOfSuggestion(next.body);
      decided.push({ annotationId: match.annotationId, status: match.suggestionStatus!, title });
    } else renewals.push({ row: match, next });
  }
  const kept = new Set(renewals.map((renewal) => renewal.row));
  await renewSuggestions(tx, scope, document, renewals);
  await deleteSuggestions(
    tx,
    scope,
    document,
    stored.filter((one) => !isDecided(one) && !kept.has(one)),
  );
  const added = annotations.filter(
    ({ annotationId }) => !storedIds.has(annotationId) && !matchOnly.has(annotationId),
  );
  const created = await insertAgentAnnotations(tx, scope, document, added);
  return { created, kept: kept.size, decided, storedIds };
}

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

const issueTypeOf = ({ body }: WithBody): string => anchorOfSuggestion(body).issueType;

const textOf = (body: WithBody['body']): string => {
  const { title, description } = anchorOfSuggestion(body);
  return JSON.stringify([title, description]);
};

const isDecided = ({ suggestionStatus }: StoredAnnotation): boolean =>
  suggestionStatus !== null && suggestionStatus !== 'pending';

const isOpen = ({ suggestionStatus, body }: StoredAnnotation): boolean =>
  suggestionStatus === 'pending' && (body.status as { type?: string } | undefined)?.type !== 'terminal';

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

function decidedNote(url: string, decided: Decided[]): LogLine {
  const named = decided.slice(0, MAX_NAMED).map((one) => ({ ...one, title: shorten(one.title, 120) }));
  const noun = decided.length === 1 ? 'finding was' : 'findings were';
  return {
    level: 'info',
    message: `${url}: ${decided.length} ${noun} not suggested again, since the same suggestion was accepted or rejected before.`,
    data: { url, decided: named },
  };
}
