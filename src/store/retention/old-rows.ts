import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../../db/tables.ts';
import { DAY_MS } from '../../lib/day.ts';
import { literal, removalOf, type Tally, tallyOf, untilFewer } from './tally.ts';

const BATCH = 2_000;
/** Events that a subscriber failed on are retried for as long as they are kept, so they outlive the others. */
const FAULTY_EVENTS_KEPT_MS = 90 * DAY_MS;

/** Rows of a table that are older than a time, and the rows that go with them. */
interface OldRows {
  table: string;
  key: readonly string[];
  /** Column with the time of a row, which an index begins with. */
  at: string;
  /** A further condition on the rows. */
  isOld?(): RawBuilder<unknown>;
  /** Tables whose rows have the key of a removed row. */
  with: readonly string[];
}

const NOTIFICATIONS: OldRows = {
  table: 'notifications',
  key: ['api_key_id', 'organization_id', 'notification_id'],
  at: 'created_at',
  with: ['notification_recipients', 'notification_emails'],
};
const ACTIVITIES: OldRows = {
  table: 'activities',
  key: ['api_key_id', 'organization_id', 'activity_id'],
  at: 'created_at',
  with: [],
};
const EVENTS: OldRows = {
  table: 'events',
  key: ['api_key_id', 'event_id'],
  at: 'relayed_at',
  isOld: () => sql`(not exists (select from event_faults fault
      where fault.api_key_id = old.api_key_id and fault.event_id = old.event_id)
    or old.relayed_at < ${literal(Date.now() - FAULTY_EVENTS_KEPT_MS)})`,
  with: ['event_faults'],
};
const DELIVERIES: OldRows = {
  table: 'webhook_messages',
  key: ['api_key_id', 'message_id'],
  at: 'created_at',
  with: ['webhook_deliveries'],
};

export interface OldEntries {
  count(db: Db, before: number): Promise<Tally>;
  remove(db: Db, before: number, signal: AbortSignal): Promise<Tally>;
}

function oldRows({ table, key, at, isOld, with: others }: OldRows): OldEntries {
  const columns = sql.join(key.map((column) => sql.ref(column)));
  const time = sql.ref(`old.${at}`);
  const old = (before: number) => sql`select ${columns}, ${time} as at from ${sql.table(table)} old
    where ${time} < ${literal(before)} and ${isOld?.() ?? sql`true`}`;
  const sameKey = (other: string) =>
    sql.join(
      key.map((column) => sql`${sql.ref(`${other}.${column}`)} = ${sql.ref(`found.${column}`)}`),
      sql` and `,
    );
  return {
    async count(db, before) {
      const found = sql`found as materialized (${old(before)})`;
      const counts = others.map(
        (other) => sql`(select count(*) from found join ${sql.table(other)} on ${sameKey(other)})`,
      );
      return await tallyOf(
        db,
        sql`with ${found} select ${sql.join([sql`(select count(*) from found)`, ...counts], sql` + `)} as rows,
          (select min(at) from found) as oldest_at`,
      );
    },
    remove: (db, before, signal) =>
      untilFewer(BATCH, signal, () => {
        const found = sql`found as materialized (
          ${old(before)} order by ${time} limit ${sql.lit(BATCH)} for update of old skip locked)`;
        const deletions = [table, ...others].map(
          (each, index) => sql`${sql.ref(`gone_${index}`)} as (
            delete from ${sql.table(each)} using found where ${sameKey(each)} returning 1)`,
        );
        const counts = deletions.map((_, index) => sql`(select count(*) from ${sql.ref(`gone_${index}`)})`);
        return removalOf(
          db,
          sql`with ${sql.join([found, ...deletions])}
            select (select count(*) from found) as found, ${sql.join(counts, sql` + `)} as rows,
              (select min(at) from found) as oldest_at`,
        );
      }),
  };
}

export const oldNotifications = oldRows(NOTIFICATIONS);
export const oldActivities = oldRows(ACTIVITIES);
/** Relayed events of the outbox. */
export const oldEvents = oldRows(EVENTS);
/** Webhook messages with their deliveries. */
export const oldDeliveries = oldRows(DELIVERIES);
