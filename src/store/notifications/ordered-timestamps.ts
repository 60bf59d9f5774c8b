import { sql } from 'kysely';

/** How far ahead of the clock a moment may be; beyond it, order within an organization gives way. */
const AHEAD_MS = 60_000;

interface Placed {
  apiKeyId: string;
  organizationId: string;
}

/** With the place that each has among those of its organization. */
export function withPlaces<Item extends Placed>(items: Item[]): (Item & { place: number })[] {
  const taken = new Map<string, number>();
  return items.map((item) => {
    const key = JSON.stringify([item.apiKeyId, item.organizationId]);
    const place = taken.get(key) ?? 0;
    taken.set(key, place + 1);
    return { ...item, place };
  });
}

/**
 * From which moment on an organization's `item`s are created: now, or right after what it has. Lists are in the
 * order of milliseconds, and what is written in one statement would else be in the order of chance.
 */
export function momentsAfter(table: 'notifications' | 'activities') {
  const now = sql`cast(${Date.now()} as bigint)`;
  return sql`
    select place."apiKeyId", place."organizationId", greatest(${now}, least(${now} + ${AHEAD_MS},
      coalesce((select max(created_at) + 1 from ${sql.table(table)}
        where api_key_id = place."apiKeyId" and organization_id = place."organizationId"), 0))) as at
    from (select distinct "apiKeyId", "organizationId" from item) as place`;
}
