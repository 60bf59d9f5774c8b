import type { StoredAnnotation } from '../../annotations/record.ts';
import type { Tx } from '../../db/tables.ts';
import type { Scope } from '../../lib/scope.ts';
import type { Finding } from '../../shapes/agents/execution.ts';
import type { DocumentRef } from '../../shapes/refs.ts';
import { type AgentAnnotation, insertAgentAnnotations } from '../../store/annotations/agent-annotations.ts';
import {
  deleteSuggestions,
  holdSuggestions,
  type OfPage,
  type Renewal,
  renewSuggestions,
} from '../../store/annotations/agent-suggestions.ts';
import { anchorOfSuggestion } from './anchor.ts';
import { match } from './match.ts';

export interface Settled {
  /** Suggestions that were not there before. */
  created: number;
  /** Those of an earlier run that still hold. */
  kept: number;
  /** Findings that people have decided on, with how they did. */
  decided: { annotationId: string; status: string; title: string }[];
  /** Under which id each annotation that was to be written is there now. */
  ids: Map<string, string>;
}

const PENDING = 'pending';

/**
 * Makes an agent's suggestions on a page those of this run. One that is found again is kept, and renewed where
 * nobody has decided on it yet; the others that nobody has decided on are removed; what is left is written anew. One
 * whose thread was resolved without a decision is let be, and raised again: somebody said that it was done. Undefined
 * where the document is gone. `concerns` tells which issue types this is about, and
 * `onlyIfThere` names annotations that are not written anew.
 */
export async function settleSuggestions(
  tx: Tx,
  scope: Scope,
  document: DocumentRef,
  page: OfPage,
  annotations: AgentAnnotation[],
  concerns: (issueType: string) => boolean,
  onlyIfThere: ReadonlySet<string> = new Set(),
): Promise<Settled | undefined> {
  const all = await holdSuggestions(tx, scope, document, page);
  if (!all) return undefined;
  const there = all.filter((row) => (isDecided(row) || isOpen(row)) && concerns(issueTypeOf(row)));
  const matched = matchAll(there, annotations);
  const renewals: Renewal[] = [];
  const decided: Settled['decided'] = [];
  const ids = new Map<string, string>();
  for (const next of annotations) {
    const row = matched.get(next);
    if (!row) continue;
    ids.set(next.annotationId, row.annotationId);
    if (isDecided(row)) {
      const { title } = anchorOfSuggestion(next.body);
      decided.push({ annotationId: row.annotationId, status: row.suggestionStatus!, title });
    } else renewals.push({ row, next });
  }
  const kept = new Set(renewals.map(({ row }) => row));
  await renewSuggestions(tx, scope, document, renewals);
  await deleteSuggestions(
    tx,
    scope,
    document,
    there.filter((row) => !isDecided(row) && !kept.has(row)),
  );
  const fresh = annotations.filter(
    ({ annotationId }) => !ids.has(annotationId) && !onlyIfThere.has(annotationId),
  );
  const created = await insertAgentAnnotations(tx, scope, document, fresh);
  return { created, kept: kept.size, decided, ids };
}

/** Those about a whole page are one for a page: the same suggestion whatever it lists, unless it was decided on. */
function matchAll(
  there: StoredAnnotation[],
  annotations: AgentAnnotation[],
): Map<AgentAnnotation, StoredAnnotation> {
  const matched = new Map<AgentAnnotation, StoredAnnotation>();
  const ofPage = annotations.find(isOfPage);
  if (ofPage) {
    const rows = there.filter(isOfPage);
    const said = saidBy(ofPage.body);
    const same = rows.find((row) => saidBy(row.body) === said) ?? rows.find((row) => !isDecided(row));
    if (same) matched.set(ofPage, same);
    return matched;
  }
  const rows = there.filter((row) => !isOfPage(row));
  const found = match(
    rows.map(({ body }) => anchorOfSuggestion(body)),
    annotations.map(({ body }) => anchorOfSuggestion(body)),
  );
  for (const [now, before] of found) matched.set(annotations[now]!, rows[before]!);
  return matched;
}

type Body = { body: Record<string, unknown> };

const reasonOf = (body: Body['body']) =>
  (body.agent as { reason?: Record<string, unknown> } | undefined)?.reason ?? {};

const isOfPage = ({ body }: Body): boolean => reasonOf(body).findingId === 'page';

const issueTypeOf = ({ body }: Body): string => anchorOfSuggestion(body).issueType;

const saidBy = (body: Body['body']): string => {
  const { title, description } = anchorOfSuggestion(body);
  return JSON.stringify([title, description]);
};

const isDecided = ({ suggestionStatus }: StoredAnnotation): boolean =>
  suggestionStatus !== null && suggestionStatus !== PENDING;

const isOpen = ({ suggestionStatus, body }: StoredAnnotation): boolean =>
  suggestionStatus === PENDING && (body.status as { type?: string } | undefined)?.type !== 'terminal';

/** Findings with the ids under which their suggestions are there. */
export const pointedAt = (findings: Finding[], ids: ReadonlyMap<string, string>): Finding[] =>
  findings.map((finding) => {
    const commentId = finding.commentId && ids.get(finding.commentId);
    return commentId ? { ...finding, commentId } : finding;
  });
