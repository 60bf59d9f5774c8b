import type { Tx } from '../db/tables.ts';
import type { Event, EventName } from './catalog.ts';

/**
 * Wants to hear of events. It writes rows and enqueues jobs in the relay's transaction, and nothing else;
 * the receipt written beside keeps an event from reaching it twice.
 */
export interface Subscriber<Name extends EventName = EventName> {
  name: string;
  events: readonly Name[];
  /**
   * Flags of a payload that tell whether it does anything about an event: the first of them that is there
   * decides. Without any, it hears of all.
   */
  heeds?: readonly string[];
  handle(tx: Tx, event: Extract<Event, { name: Name }>): Promise<void>;
}

export const subscriber = <Name extends EventName>(definition: Subscriber<Name>): Subscriber =>
  definition as unknown as Subscriber;

/** Whether a subscriber does anything about an event. */
export function hears({ events, heeds = [] }: Subscriber, { name, payload }: Event): boolean {
  const flags = payload as Record<string, unknown>;
  return (
    events.includes(name) &&
    (heeds.map((flag) => flags[flag]).find((flag) => flag !== undefined) ?? true) !== false
  );
}
