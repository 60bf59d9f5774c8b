import type { Tx } from '../db/tables.ts';
import { shorten } from '../lib/cut-text.ts';
import type { Finding } from '../shapes/execution.ts';
import { type DocumentRef, documentExists, insertAgentAnnotations } from '../store/agent-annotations.ts';
import type { LogLine } from './execute/strategy.ts';
import { annotationsOf, pageOf } from './postprocess/annotations.ts';
import { pointedAt, settleSuggestions } from './postprocess/settle-suggestions.ts';
import { isOn, type Run } from './run-shape.ts';

export interface Suggested {
  /** With the ids of the annotations that tell of them. */
  findings: Finding[];
  /** Annotations that were not there before. */
  created: number;
  /** For the log, once this is committed. */
  notes: LogLine[];
}

const MAX_NAMED = 20;

/**
 * Turns a page's findings into suggestions on the run's document, beside or in place of those of earlier runs.
 * `concerns` tells which issue types of earlier ones this is about.
 */
export async function writeSuggestions(
  tx: Tx,
  run: Run,
  document: DocumentRef,
  url: string,
  findings: Finding[],
  concerns: (issueType: string) => boolean = () => true,
): Promise<Suggested> {
  const { scope, row } = run;
  const stages = run.behavior.postProcess ?? {};
  const strategy = isOn(stages.annotations) ? (stages.annotations?.strategy ?? 'findings') : 'none';
  if (row.documentId === '') return { findings, created: 0, notes: [] };
  const made = annotationsOf(findings, url, strategy, {
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
    findings,
    created: 0,
    notes: [{ level: 'warn', message: 'The document is gone; its findings stay with the execution.' }],
  };
  if (!isOn(stages.deletePreviousSuggestions)) {
    if (!(await documentExists(tx, scope, document))) return gone;
    const created = await insertAgentAnnotations(tx, scope, document, made.annotations);
    return created < made.annotations.length ? gone : { findings: made.findings, created, notes: [] };
  }
  const page = { agentId: row.agentId, agentUrl: pageOf(url) };
  const settled = await settleSuggestions(tx, scope, document, page, made.annotations, concerns);
  if (!settled) return gone;
  return {
    findings: pointedAt(made.findings, settled.ids),
    created: settled.created,
    notes: [
      ...(settled.kept > 0
        ? [
            {
              level: 'info' as const,
              message: `${url}: ${settled.kept} of the suggestions of earlier runs still hold and were kept.`,
              data: { url, kept: settled.kept },
            },
          ]
        : []),
      ...(settled.decided.length > 0 ? [decidedNote(url, settled.decided)] : []),
    ],
  };
}

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
