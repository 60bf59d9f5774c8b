import { type EventName, events } from '../../events/event-catalog.ts';

/** The families of events that live clients receive: the first part of their names. */
export const liveEventFamilies = [
  'comment_annotation',
  'comment',
  'presence',
  'live_state',
  'notification',
  'document',
  'crdt',
  'agent_execution',
] as const;

export const familyOf = (name: string): string => name.split('.', 1)[0]!;

/** The names of all events of these families. */
export const liveEventNames = (Object.keys(events) as EventName[]).filter((name) =>
  (liveEventFamilies as readonly string[]).includes(familyOf(name)),
);

/** True if a word names an event, or a family of events. */
export const isEventOrFamily = (word: string): boolean =>
  (liveEventFamilies as readonly string[]).includes(word) || (liveEventNames as string[]).includes(word);
