import type { Tx } from '../../db/tables.ts';
import { shorten } from '../../lib/text/cut-text.ts';
import type { Finding, HeldBack, Precedent } from '../../shapes/agents/execution.ts';
import type { DocumentRef } from '../../shapes/refs.ts';
import { insertAgentAnnotations } from '../../store/annotations/agent-annotations.ts';
import { documentExists } from '../../store/documents/documents.ts';
import type { LogLine } from '../core/execute-task.ts';
import { isOn, type Run } from '../core/run-state.ts';
import { annotationsOf, pageOf } from './finding-to-annotation.ts';
import { pointedAt, settleSuggestions } from './reconcile-suggestions.ts';

export interface Suggested {
  /** With the ids of the annotations that tell of them. */
  findings: Finding[];
  heldBack: HeldBack[];
  /** Annotations that were not there before. */
  created: number;
  /** For the log, once this is committed. */
  notes: LogLine[];
}

const MAX_NAMED = 20;

/**
 * Turns a page's findings into suggestions on the run's document, beside or in place of those of earlier runs.
 * `concerns` tells which issue types of earlier ones this is about. Findings that are `held` are reported only where a
 * suggestion of them is there already.
 */
export async function writeSuggestions(
  tx: Tx,
  run: Run,
  document: DocumentRef,
  url: string,
  findings: Finding[],
  concerns: (issueType: string) => boolean = () => true,
  held: ReadonlyMap<string, Precedent> = new Map(),
): Promise<Suggested> {
  const { scope, row } = run;
  const stages = run.behavior.postProcess ?? {};
  const strategy = isOn(stages.annotations) ? (stages.annotations?.strategy ?? 'findings') : 'none';
  const isHeld = ({ id }: Finding) => held.has(id);
  const shown = findings.filter((finding) => !isHeld(finding));
  const heldBack = findings.flatMap((finding) => heldBackOf(finding, held));
  const alone: Suggested = { findings: shown, heldBack, created: 0, notes: heldBack.map(heldNote) };
  if (row.documentId === '') return alone;
  // One annotation for the whole page tells of no finding that is held back.
  const told = strategy === 'page-level' ? shown : findings;
  const made = annotationsOf(told, url, strategy, {
    agentId: row.agentId,
    agentName: row.agentName,
    agentType: run.agentType,
    executionId: row.executionId,
    apiKeyId: scope.apiKeyId,
    organizationId: document.organizationId,
    documentId: document.documentId,
    deviceType: run.request.deviceType,
    visibility: run.request.annotationVisibility,
  });
  const gone: Suggested = {
    ...alone,
    notes: [
      ...alone.notes,
      { level: 'warn', message: 'The document is gone; its findings stay with the execution.' },
    ],
  };
  const onlyIfThere = new Set(made.findings.flatMap((one) => (isHeld(one) && one.commentId) || []));
  if (!isOn(stages.deletePreviousSuggestions)) {
    if (!(await documentExists(tx, scope, document))) return gone;
    const written = made.annotations.filter(({ annotationId }) => !onlyIfThere.has(annotationId));
    const created = await insertAgentAnnotations(tx, scope, document, written);
    if (created < written.length) return gone;
    return { ...alone, findings: made.findings.filter((finding) => !isHeld(finding)), created };
  }
  const page = { agentId: row.agentId, agentUrl: pageOf(url) };
  const settled = await settleSuggestions(tx, scope, document, page, made.annotations, concerns, onlyIfThere);
  if (!settled) return gone;
  const isThere = ({ commentId }: Finding) => commentId !== undefined && settled.ids.has(commentId);
  const there = new Set(made.findings.filter(isThere).map(({ id }) => id));
  const absent = heldBack.filter(({ id }) => !there.has(id));
  return {
    findings: pointedAt(
      made.findings.filter((finding) => !isHeld(finding) || isThere(finding)),
      settled.ids,
    ),
    heldBack: absent,
    created: settled.created,
    notes: [
      ...absent.map(heldNote),
      ...(settled.kept > 0
        ? [
            {
              level: 'info' as const,
              message: `${url}: kept ${settled.kept} ${settled.kept === 1 ? 'suggestion' : 'suggestions'} of earlier runs, found again.`,
              data: { url, kept: settled.kept },
            },
          ]
        : []),
      ...(settled.decided.length > 0 ? [decidedNote(url, settled.decided)] : []),
    ],
  };
}

function heldBackOf(finding: Finding, held: ReadonlyMap<string, Precedent>): HeldBack[] {
  const precedent = held.get(finding.id);
  if (!precedent) return [];
  const { id, title, description, severity, issueType, targetText, sourceUrl, url } = finding;
  const said = { id, title, description, severity, issueType, targetText, sourceUrl };
  return [{ ...said, ...(url !== undefined && { url }), precedent }];
}

const heldNote = ({ id, title, sourceUrl, precedent }: HeldBack): LogLine => ({
  level: 'info',
  message: `${sourceUrl}: held back “${shorten(title, 120)}”. ${precedent.note}`,
  data: {
    url: sourceUrl,
    findingId: id,
    judgments: precedent.judgments.map(({ recordId, similarity }) => ({ recordId, similarity })),
  },
});

function decidedNote(
  url: string,
  decided: { annotationId: string; status: string; title: string }[],
): LogLine {
  const named = decided.slice(0, MAX_NAMED).map((one) => ({ ...one, title: shorten(one.title, 120) }));
  const noun = decided.length === 1 ? 'finding was' : 'findings were';
  return {
    level: 'info',
    message: `${url}: ${decided.length} ${noun} not suggested again, since the same suggestion was accepted or rejected before.`,
    data: { url, decided: named },
  };
}
