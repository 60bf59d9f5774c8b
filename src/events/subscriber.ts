import type { RawBuilder } from 'kysely';
import type { Tx } from '../db/tables.ts';
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
  /**
   * A condition in SQL on a row of `events`, for settings without which the subscriber has nothing to do. Payloads that
   * no subscriber wants are not read from the database.
   */
  where?: RawBuilder<boolean>;
  /** The only fields of the payload that the subscriber reads. Default: all. */
  fields?: readonly string[];
  /**
   * When it gets the events of a batch. `beside`: it shares no rows with the others, so it works while they wait for the
   * database. `last`: it takes a lock that other lanes wait for, so it begins when all others have ended. Default: one
   * after the other.
   */
  turn?: 'beside' | 'last';
  /** Gets events in their order, as many as the relay has. */
  handle(tx: Tx, events: Extract<Event, { name: Name }>[]): Promise<void>;
}
