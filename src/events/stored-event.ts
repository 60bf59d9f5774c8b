import type { Event } from './event-catalog.ts';

interface EventRow {
  eventId: string;
  seq: number;
  name: string;
  payload: unknown;
  workspaceId: string;
  apiKeyId: string;
  createdAt: number;
}

/** An event as its row in the outbox has it. */
export const eventOf = (row: EventRow): Event =>
  ({
    id: row.eventId,
    seq: Number(row.seq),
    name: row.name,
    payload: row.payload,
    workspaceId: row.workspaceId,
    apiKeyId: row.apiKeyId,
    createdAt: Number(row.createdAt),
  }) as Event;
