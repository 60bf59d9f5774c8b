import type { AnnotationChanges } from '../../shapes/annotations/annotation.ts';
import type { User } from '../../shapes/user.ts';
import { decisionOfStatus } from '../../store/memory/judgment-text-sql.ts';
import type { DecidedOn } from '../../store/memory/record-judgments.ts';
import type { Revision } from '../revise.ts';
import { NOBODY, type Person } from './causes.ts';

/** What changes of annotations decide: on what they suggest, and what their status says of them. */
export function decisionsIn(
  revisions: readonly Revision[],
  changes: AnnotationChanges | undefined,
  { actionUser, now }: { actionUser: Partial<User> | undefined; now: number },
): DecidedOn[] {
  if (!changes) return [];
  const { statusUpdatedByUserId, resolvedByUserId, suggestion } = changes;
  const resolver = suggestion?.resolvedBy;
  const named = (...people: (string | Partial<User> | null | undefined)[]): Person => {
    // Somebody who is known by more than their id says who that is.
    const found = people.map((one) => (typeof one === 'string' ? { userId: one } : one));
    const first = found.find((one) => one?.userId !== undefined);
    const whole = found.find((one) => one?.userId === first?.userId && one?.name !== undefined);
    return ((whole ?? first) as Person | undefined) ?? NOBODY;
  };
  const ofStatus = named(statusUpdatedByUserId, resolvedByUserId, resolver, actionUser);
  const ofSuggestion = named(resolver, resolvedByUserId, statusUpdatedByUserId, actionUser);
  return revisions.flatMap(({ row, told }) =>
    told.flatMap(({ name, fields }): DecidedOn[] => {
      const at = now;
      switch (name) {
        case 'comment_annotation.suggestion_accept':
          return [{ row, decided: { origin: 'suggestion', decision: 'approve', by: ofSuggestion, at } }];
        case 'comment_annotation.suggestion_reject':
          return [{ row, decided: { origin: 'suggestion', decision: 'reject', by: ofSuggestion, at } }];
        case 'comment_annotation.status_change': {
          const decision = decisionOfStatus(fields.newStatus as Record<string, unknown>);
          return [{ row, decided: { origin: 'status', decision, by: ofStatus, at } }];
        }
        default:
          return [];
      }
    }),
  );
}
