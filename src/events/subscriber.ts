import type { Tx } from '../db/tables.ts';
import type { Event, EventName } from './event-catalog.ts';

/**
 * Wants to hear of events. It writes rows and enqueues jobs in the relay's transaction, and nothing else:
 * an event is marked as handed on in the same transaction, so that what it wrote is there once.
 */
export interface Subscriber<Name extends EventName = EventName> {
  name: string;
  events: readonly Name[];
  /**
   * Flags of a payload that tell whether it does anything about an event: the first of them that is there
   * decides. Without any, it hears of all.
   */
  heeds?: readonly string[];
  /** Gets events in their order, as many as the relay has. */
  handle(tx: Tx, events: Extract<Event, { name: Name }>[]): Promise<void>;
}

/** Whether a subscriber does anything about an event. */
export function hears({ events, heeds = [] }: Subscriber, { name, payload }: Event): boolean {
  const flags = payload as Record<string, unknown>;
  return (
    events.includes(name) &&
    (heeds.map((flag) => flags[flag]).find((flag) => flag !== undefined) ?? true) !== false
  );
}
