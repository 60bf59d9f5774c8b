import { type EventName, events } from '../../events/event-catalog.ts';

/** The first part of the names of events that live clients are told of. */
export const families = [
  'comment_annotation',
  'comment',
  'presence',
  'live_state',
  'notification',
  'document',
  'crdt',
] as const;

export const familyOf = (name: string): string => name.split('.', 1)[0]!;

export const liveEventNames = (Object.keys(events) as EventName[]).filter((name) =>
  (families as readonly string[]).includes(familyOf(name)),
);

/** Whether a word names an event, or a family of events. */
export const isEventOrFamily = (word: string): boolean =>
  (families as readonly string[]).includes(word) || (liveEventNames as string[]).includes(word);
