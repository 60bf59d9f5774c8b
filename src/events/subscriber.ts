import type { Tx } from '../db/tables.ts';
import type { Fields } from '../lib/json.ts';
import type { Event, EventName } from './event-catalog.ts';

/**
 * Reacts to events. It only writes rows and enqueues jobs in the relay's transaction: the event is marked as relayed
 * in the same transaction, so that its effects are stored exactly once.
 */
export interface Subscriber<Name extends EventName = EventName> {
  name: string;
  events: readonly Name[];
  /**
   * Names of boolean fields of the payload. The first one that is there decides if the subscriber gets the event;
   * without any, it gets all.
   */
  flags?: readonly string[];
  /** Gets events in their order, as many as the relay has. */
  handle(tx: Tx, events: Extract<Event, { name: Name }>[]): Promise<void>;
}

/** True if the subscriber is to get the event. */
export function wantsEvent({ events, flags = [] }: Subscriber, { name, payload }: Event): boolean {
  const fields: Fields = payload;
  return (
    events.includes(name) &&
    (flags.map((flag) => fields[flag]).find((value) => value !== undefined) ?? true) !== false
  );
}
