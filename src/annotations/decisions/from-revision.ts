import type { Fields } from '../../lib/json.ts';
import type { AnnotationChanges } from '../../shapes/annotations/annotation.ts';
import type { User } from '../../shapes/user.ts';
import type { Revision } from '../revise-annotation.ts';
import { type DecidedOn, type Person, SYSTEM_REVIEWER } from './build-judgment.ts';
import { decisionOfStatus } from './judgment-content.ts';

type NamedUser = string | Partial<User> | null | undefined;

interface Deciders {
  actionUser: Partial<User> | undefined;
  /** The name of the assistant through which the change is made. */
  assistant?: string | undefined;
}

/** The decisions in changes of annotations: on their suggestions, and by their status. */
export function decisionsIn(
  revisions: readonly Revision[],
  changes: AnnotationChanges | undefined,
  { actionUser, assistant, now }: Deciders & { now: number },
): DecidedOn[] {
  if (!changes) return [];
  const [ofStatus, ofSuggestion] = decidersIn(changes, actionUser);
  return revisions.flatMap(({ row, events }) =>
    events.flatMap(({ name, fields }): DecidedOn[] => {
      const details = { at: now, assistant };
      switch (name) {
        case 'comment_annotation.suggestion_accept':
          return [
            { row, decided: { origin: 'suggestion', decision: 'approve', by: ofSuggestion, ...details } },
          ];
        case 'comment_annotation.suggestion_reject':
          return [
            { row, decided: { origin: 'suggestion', decision: 'reject', by: ofSuggestion, ...details } },
          ];
        case 'comment_annotation.status_change': {
          const decision = decisionOfStatus(fields.newStatus as Fields);
          return [{ row, decided: { origin: 'status', decision, by: ofStatus, ...details } }];
        }
        default:
          return [];
      }
    }),
  );
}

/** Who decides by a status, and who on a suggestion. */
export function decidersIn(
  { statusUpdatedByUserId, resolvedByUserId, suggestion }: AnnotationChanges,
  actionUser: Partial<User> | undefined,
): [ofStatus: Person, ofSuggestion: Person] {
  const resolver = suggestion?.resolvedBy;
  return [
    firstNamed(statusUpdatedByUserId, resolvedByUserId, resolver, actionUser),
    firstNamed(resolver, resolvedByUserId, statusUpdatedByUserId, actionUser),
  ];
}

/** The first user who is named, with name and email if a later mention of the same user has them. */
function firstNamed(...users: NamedUser[]): Person {
  const found = users.map((user) => (typeof user === 'string' ? { userId: user } : user));
  const first = found.find((user) => user?.userId !== undefined);
  const withName = found.find((user) => user?.userId === first?.userId && user?.name !== undefined);
  return ((withName ?? first) as Person | undefined) ?? SYSTEM_REVIEWER;
}
