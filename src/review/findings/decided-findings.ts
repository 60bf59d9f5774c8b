import type { StoredAnnotation } from '../../annotations/present-annotation.ts';
import type { Tx } from '../../db/tables.ts';
import type { Fields } from '../../lib/json.ts';
import type { Scope } from '../../lib/scope.ts';
import type { Finding } from '../../shapes/agents/execution.ts';
import { isRepaired } from '../../store/annotations/repaired-suggestions.ts';
import {
  decisionsOnAnnotations,
  type RecordedDecision,
} from '../../store/memory/decisions-on-annotations.ts';

type Decision = NonNullable<Finding['decision']>;

/** The decision of people on a suggestion; undefined if it is open, or if its agent has resolved it. */
export function decisionOn(annotation: StoredAnnotation): Decision | undefined {
  const { suggestionStatus, body } = annotation;
  if (suggestionStatus === 'accepted' || suggestionStatus === 'rejected') return suggestionStatus;
  return body.status?.type === 'terminal' && !isRepaired(annotation) ? 'resolved' : undefined;
}

/** The assistant that made a decision on a suggestion for a person, if one did. */
export const assistantOn = (
  { decidedByAssistant }: StoredAnnotation['body'],
  decision: Decision | 'undecided',
): string | undefined =>
  decision === 'accepted' || decision === 'rejected'
    ? decidedByAssistant?.suggestion
    : decidedByAssistant?.status;

/** Adds to findings what people decided on their suggestions. `suggestionOf` has the suggestion of each such finding. */
export async function withDecisions(
  tx: Tx,
  scope: Scope,
  findings: readonly Finding[],
  suggestionOf: ReadonlyMap<string, StoredAnnotation>,
): Promise<Finding[]> {
  const decided = [...suggestionOf.values()].filter((one) => decisionOn(one) !== undefined);
  const [first] = decided;
  if (!first) return [...findings];
  const ids = [...new Set(decided.map(({ annotationId }) => annotationId))];
  const recorded = await decisionsOnAnnotations(tx, scope, first.organizationId, ids);
  return findings.map((finding) => {
    const suggestion = suggestionOf.get(finding.id);
    return suggestion ? { ...finding, ...decisionFields(suggestion, recorded) } : finding;
  });
}

/** The decision on a suggestion with its person, reason and time, as recorded or else as the annotation has them. */
export function decisionFields(
  annotation: StoredAnnotation,
  recorded: readonly RecordedDecision[],
): Pick<Finding, 'decision' | 'decidedBy' | 'reason' | 'decidedAt'> {
  const { body, annotationId } = annotation;
  const decision = decisionOn(annotation);
  if (decision === undefined) return {};
  const origin = decision === 'resolved' ? 'status' : 'suggestion';
  const assistant = assistantOn(body, decision);
  const record = recorded.find(
    (one) =>
      one.annotationId === annotationId && one.origin === origin && one.assistant === (assistant ?? null),
  );
  const { rejectReason, resolvedBy, resolvedAt } = (body.suggestion ?? {}) as Fields;
  const person = personOf(record?.actionUser) ?? personOf(resolvedBy) ?? personOf(body.resolvedByUserId);
  const reason = textOf(rejectReason) ?? textOf(record?.reasoning);
  const decidedAt = record?.createdAt ?? (typeof resolvedAt === 'number' ? resolvedAt : undefined);
  return {
    decision,
    ...(person && { decidedBy: { ...person, ...(assistant !== undefined && { assistant }) } }),
    ...(reason !== undefined && { reason }),
    ...(decidedAt !== undefined && { decidedAt }),
  };
}

function personOf(value: unknown): Finding['decidedBy'] {
  if (typeof value === 'string' && value !== '') return { userId: value, name: '' };
  const { userId, name } = (typeof value === 'object' ? (value ?? {}) : {}) as Fields;
  return typeof userId === 'string' ? { userId, name: typeof name === 'string' ? name : '' } : undefined;
}

const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined;
