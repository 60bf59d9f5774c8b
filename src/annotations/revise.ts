import { isDeepStrictEqual } from 'node:util';
import type { EventName } from '../events/event-catalog.ts';
import type { Fields } from '../lib/json.ts';
import {
  type AnnotationChanges,
  type Status,
  type Visibility,
  wholeStatus,
} from '../shapes/annotations/annotation.ts';
import type { User } from '../shapes/user.ts';
import { subscriptionsOf } from '../store/annotations/comments.ts';
import { customFields, wholeContext, wholeVisibility } from './draft.ts';
import { type StoredAnnotation, visibilityColumn } from './record.ts';

/** Which event tells of a change, and what only that event says. */
export interface Told {
  name: Extract<EventName, `comment_annotation.${string}`>;
  fields: Fields;
}

export interface Revision {
  row: StoredAnnotation;
  told: Told[];
}

/** Why a change is not made, in words for the caller. */
export interface Refusal {
  refused: string;
}

/** What a decision says of a suggestion; all else is what it proposes. */
const DECISION = new Set(['status', 'rejectReason', 'resolvedBy', 'resolvedAt']);

/** Whether a change of a suggestion makes it propose anything else. */
export const changesProposal = (before: unknown, sent: Fields): boolean =>
  Object.entries(sent).some(
    ([key, value]) =>
      value !== undefined &&
      !DECISION.has(key) &&
      !isDeepStrictEqual(value, (before as Fields | undefined)?.[key]),
  );

/**
 * An annotation after a change. A suggestion that was decided on stays as it was decided. An API key sends
 * suggestions whole; of users, a decision leaves the proposal as it is, and nothing changes a decided one.
 */
export function revise(
  row: StoredAnnotation,
  changes: AnnotationChanges,
  { now, byUser }: { now: number; byUser: boolean },
): Revision | Refusal {
  const before = row.body;
  const decided = row.suggestionStatus ?? 'pending';
  const decision = changes.suggestion?.status ?? decided;
  const sentSuggestion = changes.suggestion ?? {};
  const isLate = decision !== decided || (byUser && changesProposal(before.suggestion, sentSuggestion));
  if (isLate && decided !== 'pending') return { refused: `Suggestion is already ${decided}.` };

  const { status, statusUpdatedByUserId, resolvedByUserId, assignedTo, priority, ...rest } = changes;
  const { location, targetElement, context, visibility, from, suggestion: replacement, ...sent } = rest;
  const keeps = byUser ? (before.suggestion as Fields | undefined) : {};
  const suggestion = replacement && { ...keeps, ...(byUser && decided !== 'pending' ? {} : replacement) };
  const newStatus = status && wholeStatus(status);
  const resolver = newStatus && newStatus.type !== 'terminal' ? null : resolvedByUserId;
  const visibilityConfig = visibility && wholeVisibility(visibility, row.organizationId);
  const body = patched(before, {
    ...customFields(sent),
    status: newStatus,
    statusUpdatedByUserId,
    resolvedByUserId: resolver,
    assignedTo,
    priority,
    location,
    targetElement,
    context: context && wholeContext(context),
    visibilityConfig,
    from,
    suggestion: suggestion && {
      ...suggestion,
      status: decision,
      ...(decision !== 'pending' && {
        resolvedAt: suggestion.resolvedAt ?? (before.suggestion as Fields | undefined)?.resolvedAt ?? now,
      }),
    },
    ...following(before, [from, assignedTo]),
  });
  return {
    row: {
      ...row,
      authorId: from?.userId ?? row.authorId,
      statusId: newStatus?.id ?? row.statusId,
      locationId: location === undefined ? row.locationId : (location?.id ?? null),
      suggestionStatus: suggestion ? decision : row.suggestionStatus,
      visibility: visibilityConfig ? visibilityColumn(visibilityConfig) : row.visibility,
      body,
      lastUpdated: Math.max(now, row.lastUpdated),
    },
    told: toldOf(before, changes, {
      newStatus,
      visibilityConfig,
      decidesAs: decision === decided ? undefined : decision,
    }),
  };
}

/** Writes over what was sent; null takes away, and what was not sent stays. */
const patched = (before: Fields, patch: Fields): Fields =>
  Object.fromEntries(
    Object.entries({
      ...before,
      ...Object.fromEntries(Object.entries(patch).filter(([, value]) => value !== undefined)),
    }).filter(([, value]) => value !== null),
  );

/** Whoever becomes the author or gets a task takes part from now on, and hears of it unless they asked not to. */
function following(before: Fields, users: (User | null | undefined)[]): Fields {
  const joining = users.filter((user) => user != null);
  if (joining.length === 0) return {};
  const involved = (before.involvedUserIds ?? []) as string[];
  const left = (before.unsubscribedUsers ?? {}) as Fields;
  const subscriptions = Object.entries(subscriptionsOf(joining)).filter(([key]) => !Object.hasOwn(left, key));
  return {
    involvedUserIds: [...new Set([...involved, ...joining.map(({ userId }) => userId)])],
    subscribedUsers: {
      ...Object.fromEntries(subscriptions),
      ...(before.subscribedUsers as Fields | undefined),
    },
  };
}

const idOf = (value: unknown, key: 'id' | 'userId'): unknown => (value as Fields | null | undefined)?.[key];

/** What is new is told by its own event; what has none of its own, by one for all. */
function toldOf(
  before: Fields,
  changes: AnnotationChanges,
  {
    newStatus,
    visibilityConfig,
    decidesAs,
  }: {
    newStatus: Status | undefined;
    visibilityConfig: Visibility | undefined;
    decidesAs: string | undefined;
  },
): Told[] {
  const { assignedTo, priority } = changes;
  const told: Told[] = [];
  const tell = (name: Told['name'], fields: Fields = {}) => told.push({ name, fields });
  if (assignedTo !== undefined && idOf(assignedTo, 'userId') !== idOf(before.assignedTo, 'userId')) {
    tell('comment_annotation.assign');
  }
  if (newStatus && newStatus.id !== idOf(before.status, 'id')) {
    tell('comment_annotation.status_change', { oldStatus: before.status ?? {}, newStatus });
  }
  if (priority !== undefined && idOf(priority, 'id') !== idOf(before.priority, 'id')) {
    tell('comment_annotation.priority_change', { newPriority: priority });
  }
  if (decidesAs === 'accepted') tell('comment_annotation.suggestion_accept');
  if (decidesAs === 'rejected') tell('comment_annotation.suggestion_reject');
  const {
    status,
    statusUpdatedByUserId,
    resolvedByUserId,
    suggestion,
    assignedTo: _,
    priority: __,
    ...others
  } = changes;
  if (told.length === 0 || Object.keys(others).length > 0) {
    const visibilityChanged =
      visibilityConfig !== undefined &&
      !isDeepStrictEqual(visibilityConfig, before.visibilityConfig ?? { type: 'public' });
    tell('comment_annotation.update', visibilityChanged ? { visibilityChanged } : {});
  }
  return told;
}
