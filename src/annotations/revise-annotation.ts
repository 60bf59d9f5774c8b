import { isDeepStrictEqual } from 'node:util';
import type { Fields } from '../lib/json.ts';
import {
  type AnnotationChanges,
  completeStatus,
  type Status,
  type Visibility,
} from '../shapes/annotations/annotation.ts';
import type { DecidedByAssistant } from '../shapes/annotations/documented.ts';
import type { User } from '../shapes/user.ts';
import { completeContext, completeVisibility, customFields } from './annotation-draft.ts';
import { type StoredAnnotation, subscriptionsOf, visibilityColumn } from './present-annotation.ts';

/** An event that a change raises, with the fields that only this event has. */
export interface RaisedEvent {
  name:
    | 'comment_annotation.assign'
    | 'comment_annotation.status_change'
    | 'comment_annotation.priority_change'
    | 'comment_annotation.suggestion_accept'
    | 'comment_annotation.suggestion_reject'
    | 'comment_annotation.update';
  fields: Fields;
}

/** An annotation after a change, with the events to raise. */
export interface Revision {
  row: StoredAnnotation;
  events: RaisedEvent[];
}

/** The reason why a change is not made, in words for the caller. */
export interface RefusedRevision {
  refused: string;
}

/** Fields of a suggestion that record the decision; the other fields are the proposal. */
const DECISION_FIELDS = new Set(['status', 'rejectReason', 'resolvedBy', 'resolvedAt']);

/** A suggestion without the decision on it. */
export const proposalIn = (suggestion: unknown): Fields =>
  Object.fromEntries(
    Object.entries((suggestion ?? {}) as Fields).filter(([field]) => !DECISION_FIELDS.has(field)),
  );

/** True if the sent suggestion differs from the stored one in its proposal. */
export const changesProposal = (before: unknown, sent: Fields): boolean =>
  Object.entries(sent).some(
    ([key, value]) =>
      value !== undefined &&
      !DECISION_FIELDS.has(key) &&
      !isDeepStrictEqual(value, (before as Fields | undefined)?.[key]),
  );

export interface Reviser {
  now: number;
  byUser: boolean;
  /** The name of the assistant through which the change is made. */
  assistant?: string | undefined;
  /** True if a status that is as before is a decision, too: that of a person who confirms an assistant's. */
  confirms?: boolean | undefined;
}

/**
 * Applies a change to an annotation. A decided suggestion keeps its decision, unless an assistant made it and a person
 * decides. An API key replaces suggestions as a whole; a user's decision keeps the proposal, and no user changes a decided
 * suggestion.
 */
export function revise(
  row: StoredAnnotation,
  changes: AnnotationChanges,
  { now, byUser, assistant, confirms = byUser }: Reviser,
): Revision | RefusedRevision {
  const before = row.body;
  const decided = row.suggestionStatus ?? 'pending';
  const decision = changes.suggestion?.status ?? decided;
  const sentSuggestion = changes.suggestion ?? {};
  /** True if a person sends a decision in place of one that an assistant made. */
  const takesOver = (marked: string | undefined, sent: unknown, isChanged: boolean) =>
    assistant === undefined && marked !== undefined && sent !== undefined && (isChanged || confirms);
  const marks = before.decidedByAssistant;
  const takesSuggestion = takesOver(marks?.suggestion, changes.suggestion?.status, decision !== decided);
  const isLate = decision !== decided || (byUser && changesProposal(before.suggestion, sentSuggestion));
  const isOpen = decided === 'pending' || takesSuggestion;
  if (isLate && !isOpen) return { refused: `Suggestion is already ${decided}.` };

  const { status, statusUpdatedByUserId, resolvedByUserId, assignedTo, priority, ...rest } = changes;
  const { location, targetElement, context, visibility, from, suggestion: replacement, ...sent } = rest;
  const earlier = takesSuggestion ? proposalIn(before.suggestion) : (before.suggestion as Fields | undefined);
  const suggestion = replacement && { ...(byUser && earlier), ...(byUser && !isOpen ? {} : replacement) };
  const newStatus = status && completeStatus(status);
  const changesStatus = newStatus !== undefined && newStatus.id !== idOf(before.status, 'id');
  const takesStatus = takesOver(marks?.status, status, changesStatus);
  const newDecision = decision !== decided || takesSuggestion ? decision : undefined;
  const resolver = newStatus && newStatus.type !== 'terminal' ? null : resolvedByUserId;
  const visibilityConfig = visibility && completeVisibility(visibility, row.organizationId);
  const body = patched(before, {
    ...customFields(sent),
    status: newStatus,
    statusUpdatedByUserId,
    resolvedByUserId: resolver,
    assignedTo,
    priority,
    location,
    targetElement,
    context: context && completeContext(context),
    visibilityConfig,
    from,
    suggestion: suggestion && {
      ...suggestion,
      status: decision,
      ...(decision !== 'pending' && {
        resolvedAt: suggestion.resolvedAt ?? earlier?.resolvedAt ?? now,
      }),
    },
    decidedByAssistant: marksAfter(marks, assistant, {
      suggestion: newDecision !== undefined,
      status: changesStatus || takesStatus,
    }),
    ...participation(before, [from, assignedTo]),
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
    events: eventsOf(before, changes, {
      newStatus: changesStatus || takesStatus ? newStatus : undefined,
      visibilityConfig,
      newDecision,
    }),
  };
}

/** The marks of assistants after decisions; undefined without one, null if none is left. */
function marksAfter(
  before: DecidedByAssistant | undefined,
  assistant: string | undefined,
  decided: Record<keyof DecidedByAssistant, boolean>,
): DecidedByAssistant | null | undefined {
  const suggestion = decided.suggestion ? assistant : before?.suggestion;
  const status = decided.status ? assistant : before?.status;
  if (suggestion === before?.suggestion && status === before?.status) return undefined;
  if (suggestion === undefined && status === undefined) return null;
  return { ...(suggestion !== undefined && { suggestion }), ...(status !== undefined && { status }) };
}

/** Merges a patch into the body: null removes a field, undefined keeps it. */
const patched = (before: Fields, patch: Fields): Fields =>
  Object.fromEntries(
    Object.entries({
      ...before,
      ...Object.fromEntries(Object.entries(patch).filter(([, value]) => value !== undefined)),
    }).filter(([, value]) => value !== null),
  );

/** Makes a new author or assignee a participant, and a subscriber unless they have unsubscribed. */
function participation(before: Fields, users: (User | null | undefined)[]): Fields {
  const joining = users.filter((user) => user != null);
  if (joining.length === 0) return {};
  const involved = (before.involvedUserIds ?? []) as string[];
  const unsubscribed = (before.unsubscribedUsers ?? {}) as Fields;
  const subscriptions = Object.entries(subscriptionsOf(joining)).filter(
    ([key]) => !Object.hasOwn(unsubscribed, key),
  );
  return {
    involvedUserIds: [...new Set([...involved, ...joining.map(({ userId }) => userId)])],
    subscribedUsers: {
      ...Object.fromEntries(subscriptions),
      ...(before.subscribedUsers as Fields | undefined),
    },
  };
}

const idOf = (value: unknown, key: 'id' | 'userId'): unknown => (value as Fields | null | undefined)?.[key];

interface ChangeResult {
  /** Undefined if the annotation keeps its status. */
  newStatus: Status | undefined;
  visibilityConfig: Visibility | undefined;
  /** Undefined if the suggestion keeps its status. */
  newDecision: string | undefined;
}

/** Fields whose changes raise an event of their own, or none; any other field raises `comment_annotation.update`. */
const FIELDS_WITH_EVENTS = new Set([
  'assignedTo',
  'priority',
  'resolvedByUserId',
  'status',
  'statusUpdatedByUserId',
  'suggestion',
]);

function eventsOf(
  before: Fields,
  changes: AnnotationChanges,
  { newStatus, visibilityConfig, newDecision }: ChangeResult,
): RaisedEvent[] {
  const { assignedTo, priority } = changes;
  const events: RaisedEvent[] = [];
  const raise = (name: RaisedEvent['name'], fields: Fields = {}) => events.push({ name, fields });
  if (assignedTo !== undefined && idOf(assignedTo, 'userId') !== idOf(before.assignedTo, 'userId')) {
    raise('comment_annotation.assign');
  }
  if (newStatus) {
    raise('comment_annotation.status_change', { oldStatus: before.status ?? {}, newStatus });
  }
  if (priority !== undefined && idOf(priority, 'id') !== idOf(before.priority, 'id')) {
    raise('comment_annotation.priority_change', { newPriority: priority });
  }
  if (newDecision === 'accepted') raise('comment_annotation.suggestion_accept');
  if (newDecision === 'rejected') raise('comment_annotation.suggestion_reject');
  const changesOtherFields = Object.keys(changes).some((key) => !FIELDS_WITH_EVENTS.has(key));
  if (events.length === 0 || changesOtherFields) {
    const visibilityChanged =
      visibilityConfig !== undefined &&
      !isDeepStrictEqual(visibilityConfig, before.visibilityConfig ?? { type: 'public' });
    raise('comment_annotation.update', visibilityChanged ? { visibilityChanged } : {});
  }
  return events;
}
