import { annotationEvent } from '../../annotations/annotation-event.ts';
import type { StoredAnnotation } from '../../annotations/present-annotation.ts';
import type { Tx } from '../../db/tables.ts';
import { emitAll } from '../../events/emit.ts';
import type { Fields } from '../../lib/json.ts';
import type { Scope } from '../../lib/scope.ts';
import { completeStatus } from '../../shapes/annotations/annotation.ts';
import { updateAnnotations } from './update-annotations.ts';

const RESOLVED = completeStatus({ id: 'RESOLVED' });
const OPEN = completeStatus({ id: 'OPEN' });

/** The body without the assistant that changed the status before its agent does. */
function withoutAssistant({
  decidedByAssistant,
  ...body
}: StoredAnnotation['body']): StoredAnnotation['body'] {
  const suggestion = decidedByAssistant?.suggestion;
  return { ...body, ...(suggestion !== undefined && { decidedByAssistant: { suggestion } }) };
}

/** True for a suggestion that its agent has resolved, because a run no longer found its fault. */
export const isRepaired = ({ body }: Pick<StoredAnnotation, 'body'>): boolean =>
  body.status?.type === 'terminal' && (body.agent as Fields | undefined)?.repaired !== undefined;

/** Marks locked suggestions as resolved by their agent, with the run that no longer found their faults. */
export async function resolveSuggestions(
  tx: Tx,
  scope: Scope,
  rows: readonly StoredAnnotation[],
  executionId: string,
): Promise<void> {
  const at = Date.now();
  const after = rows.map(
    (row): StoredAnnotation => ({
      ...row,
      statusId: RESOLVED.id,
      body: {
        ...withoutAssistant(row.body),
        status: RESOLVED,
        resolvedByUserId: row.agentId,
        statusUpdatedByUserId: row.agentId,
        agent: { ...row.body.agent, repaired: { executionId, at } },
      },
      lastUpdated: Math.max(at, row.lastUpdated),
    }),
  );
  await updateAnnotations(tx, after);
  await emitStatusChanges(tx, scope, rows, after);
}

/** A repaired suggestion whose fault is back, as it is before the agent renews its words. */
export function reopened(row: StoredAnnotation): StoredAnnotation {
  const { resolvedByUserId: _, ...body } = withoutAssistant(row.body);
  const { repaired: __, ...agent } = { ...body.agent };
  return {
    ...row,
    statusId: OPEN.id,
    body: { ...body, status: OPEN, statusUpdatedByUserId: row.agentId, agent },
  };
}

/** Raises the events of suggestions whose status their agent has changed. */
export const emitStatusChanges = (
  tx: Tx,
  scope: Scope,
  before: readonly StoredAnnotation[],
  after: readonly StoredAnnotation[],
): Promise<void> =>
  emitAll(
    tx,
    scope,
    'comment_annotation.status_change',
    after.map((row, index) => ({
      ...annotationEvent(row, {
        actionUser: {
          userId: row.agentId!,
          name: (row.body.agent as { agentName?: string } | undefined)?.agentName,
        },
        loud: true,
      }),
      oldStatus: before[index]!.body.status ?? {},
      newStatus: row.body.status ?? {},
    })),
  );
