import { writingUser } from '../../access/acting-member.ts';
import { authorize, documentRoleOf } from '../../access/authorize.ts';
import { inOwnName } from '../../access/writing/author-rules.ts';
import type { StoredAnnotation } from '../../annotations/present-annotation.ts';
import { proposalIn } from '../../annotations/revise-annotation.ts';
import type { Tx } from '../../db/tables.ts';
import { permissionDenied } from '../../lib/errors.ts';
import type { Caller } from '../../lib/scope.ts';
import type { DecidedFindings, FindingDecision } from '../../shapes/agents/finding-record.ts';
import type { AnnotationChanges } from '../../shapes/annotations/annotation.ts';
import type { User } from '../../shapes/user.ts';
import { loadReader, type Reader } from '../../store/access/visibility-sql.ts';
import {
  decideFindings,
  type FindingRecordRow,
  getFindingRecords,
} from '../../store/agents/finding-records.ts';
import { updateAnnotations } from '../../store/annotations/change-annotations.ts';
import { lockSelected } from '../../store/annotations/select-annotations.ts';
import { assistantOn, decisionOn } from './decided-findings.ts';

type Item = DecidedFindings[string];

const done = (id: string): Item => ({ success: true, id, message: 'Finding decided successfully' });
const missing = (id: string): Item => ({
  success: false,
  id,
  message: 'Finding not found.',
  code: 'not-found',
});
const refused = (id: string, message: string, code: string): Item => ({ success: false, id, message, code });

const named = (assistant: string | undefined) => (assistant === undefined ? {} : { assistant });

interface Deciding extends FindingDecision {
  /** The person who decides; undefined for an API key that names none. */
  actor: User | undefined;
}

/**
 * Decides on findings, each with its suggestion if it has one. Suggestions are locked in the order of their ids, before
 * findings.
 */
export async function decideOnFindings(
  tx: Tx,
  caller: Caller,
  data: FindingDecision,
): Promise<DecidedFindings> {
  const { user } = caller;
  if (user && data.actionUser && data.actionUser.userId !== user.userId)
    throw permissionDenied('A user can only act as themselves: actionUser names another user.');
  const acting = writingUser(caller, data.actionUser, 'actionUser');
  const actor = acting && { ...acting };
  const deciding = { ...data, actor };
  const items = new Map<string, Item>(data.findingIds.map((id) => [id, missing(id)]));
  const rows = await getFindingRecords(tx, caller.apiKeyId, data.findingIds);
  const permitted = await permittedRows(tx, caller, rows);
  const plain: FindingRecordRow[] = [];
  const bySuggestion = Map.groupBy(permitted, ({ organizationId, documentId, annotationId }) =>
    annotationId === null ? '' : JSON.stringify([organizationId, documentId, annotationId]),
  );
  for (const key of [...bySuggestion.keys()].sort()) {
    const findings = bySuggestion.get(key)!;
    if (key === '') plain.push(...findings);
    else if (!(await decideSuggestion(tx, caller, findings, deciding, items))) plain.push(...findings);
  }
  await decideFindings(
    tx,
    caller.apiKeyId,
    plain.map(({ findingId }) => findingId),
    data.decision === 'undecided' ? undefined : data.decision,
    {
      decidedBy: { userId: actor?.userId ?? 'system', name: actor?.name ?? '', ...named(caller.assistant) },
      ...(data.reason !== undefined && { reason: data.reason }),
    },
  );
  for (const { findingId } of plain) items.set(findingId, done(findingId));
  return Object.fromEntries(items);
}

/**
 * Findings that the caller may decide on. A user does not learn of those on documents that they may not read; of those
 * that they may only read, PERMISSION_DENIED says so.
 */
async function permittedRows(tx: Tx, caller: Caller, rows: FindingRecordRow[]): Promise<FindingRecordRow[]> {
  if (!caller.user) return rows;
  const permitted: FindingRecordRow[] = [];
  const byDocument = Map.groupBy(rows, ({ organizationId, documentId }) =>
    JSON.stringify([organizationId, documentId]),
  );
  for (const findings of byDocument.values()) {
    const [{ organizationId, documentId }] = findings as [FindingRecordRow];
    if (organizationId === null || documentId === null) continue;
    const place = { organizationId, documentId };
    const { role } = await documentRoleOf(tx, caller, caller.user, place);
    if (role === 'none') continue;
    await authorize(tx, caller, place, 'editor');
    permitted.push(...findings);
  }
  return permitted;
}

/** Decides on the suggestion of findings. False if it is gone, so that the findings are decided by themselves. */
async function decideSuggestion(
  tx: Tx,
  caller: Caller,
  findings: readonly FindingRecordRow[],
  deciding: Deciding,
  items: Map<string, Item>,
): Promise<boolean> {
  const [{ organizationId, documentId, annotationId }] = findings as [FindingRecordRow];
  const document = { organizationId: organizationId!, documentId: documentId! };
  const selection = { annotationIds: [annotationId!] };
  const suggestion = await lockOne(tx, caller, document, selection);
  if (!suggestion) return false;
  const reader = await loadReader(tx, caller, document.organizationId);
  // A user does not learn of suggestions that they may not see.
  if (reader && !(await lockOne(tx, caller, document, selection, reader))) return true;
  const change = changesOf(suggestion, deciding, caller.assistant);
  if (typeof change === 'string') {
    for (const { findingId } of findings)
      items.set(findingId, refused(findingId, change, 'failed-precondition'));
    return true;
  }
  const changes = change && (await inOwnName(tx, caller, change));
  if (changes)
    await updateAnnotations(
      tx,
      caller,
      document,
      {
        selection,
        changes,
        renames: new Map(),
        viewedByUserIds: caller.user ? [caller.user.userId] : [],
        unviewedByUserIds: [],
      },
      {
        reader,
        actionUser: deciding.actor,
        loud: caller.user !== undefined,
        assistant: caller.assistant,
        confirms: true,
        requireMayChange: () => {},
      },
    );
  for (const { findingId } of findings)
    items.set(findingId, { ...done(findingId), annotationId: annotationId! });
  return true;
}

async function lockOne(
  tx: Tx,
  caller: Caller,
  document: { organizationId: string; documentId: string },
  selection: { annotationIds: string[] },
  reader?: Reader,
): Promise<StoredAnnotation | undefined> {
  for await (const [row] of lockSelected(tx, caller, document, selection, reader)) return row;
  return undefined;
}

/**
 * The changes of a suggestion, undefined if it is as decided, or the reason why it cannot be decided so. A person may decide
 * anew what an assistant has decided.
 */
function changesOf(
  suggestion: StoredAnnotation,
  { decision, reason, actor }: Deciding,
  assistant: string | undefined,
): AnnotationChanges | string | undefined {
  const { body } = suggestion;
  const decided = decisionOn(suggestion) ?? 'undecided';
  const takesOver = assistant === undefined && assistantOn(body, decided) !== undefined;
  if (decided === decision && !takesOver) return undefined;
  const isOnSuggestion = decided === 'accepted' || decided === 'rejected';
  if (isOnSuggestion && !takesOver) return `Suggestion is already ${decided}.`;
  if (isOnSuggestion && decision === 'undecided')
    return { suggestion: { ...proposalIn(body.suggestion), status: 'pending' } };
  if (decision === 'accepted' || decision === 'rejected') {
    return {
      suggestion: {
        ...proposalIn(body.suggestion),
        status: decision,
        ...(actor && { resolvedBy: actor }),
        ...(decision === 'rejected' && reason !== undefined && { rejectReason: reason }),
      },
    };
  }
  const by = actor && { statusUpdatedByUserId: actor.userId };
  if (decision === 'undecided') return { status: { id: 'OPEN' }, ...by };
  return { status: { id: 'RESOLVED' }, ...by, ...(actor && { resolvedByUserId: actor.userId }) };
}
