import type { Selectable } from 'kysely';
import type { Tables } from '../db/tables.ts';
import type { Event } from './event-catalog.ts';

/**
 * The event of a row of the outbox. The payload is not parsed again: `emit` parsed it, and the catalog may have grown
 * since.
 */
export const eventOf = (row: Selectable<Tables['events']>): Event =>
  ({
    id: row.eventId,
    seq: row.seq,
    name: row.name,
    payload: row.payload,
    workspaceId: row.workspaceId,
    apiKeyId: row.apiKeyId,
    createdAt: row.createdAt,
  }) as Event;
