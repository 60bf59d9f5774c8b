import type { Tx } from '../db/tables.ts';
import type { Event, EventName } from './catalog.ts';

/**
 * Wants to hear of events. It writes rows and enqueues jobs in the relay's transaction, and nothing else;
 * the receipt written beside keeps an event from reaching it twice.
 */
export interface Subscriber<Name extends EventName = EventName> {
  name: string;
  events: readonly Name[];
  /** Which of them it does anything about, as far as an event tells by itself; by default all. */
  wants?(event: Extract<Event, { name: Name }>): boolean;
  handle(tx: Tx, event: Extract<Event, { name: Name }>): Promise<void>;
}

export const subscriber = <Name extends EventName>(definition: Subscriber<Name>): Subscriber =>
  definition as unknown as Subscriber;
