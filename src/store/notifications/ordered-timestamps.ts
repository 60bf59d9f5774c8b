import { type RawBuilder, sql } from 'kysely';

/** Longest lead over the clock; beyond it, the order within an organization is given up. */
const AHEAD_MS = 60_000;

interface OrganizationItem {
  apiKeyId: string;
  organizationId: string;
}

/** Numbers items within their organization, from 0. */
export function withPlaces<Item extends OrganizationItem>(items: Item[]): (Item & { place: number })[] {
  const taken = new Map<string, number>();
  return items.map((item) => {
    const key = JSON.stringify([item.apiKeyId, item.organizationId]);
    const place = taken.get(key) ?? 0;
    taken.set(key, place + 1);
    return { ...item, place };
  });
}

/**
 * The first free `created_at` per organization of `item`: now, or 1 ms after its latest row, so that keyset pages keep
 * the order of insertion.
 */
export function firstTimestamps(
  table: 'notifications' | 'activities',
  now: RawBuilder<unknown> = sql`cast(${Date.now()} as bigint)`,
) {
  return sql`
    select place."apiKeyId", place."organizationId", greatest(${now}, least(${now} + ${sql.lit(AHEAD_MS)},
      coalesce((select max(created_at) + 1 from ${sql.table(table)}
        where api_key_id = place."apiKeyId" and organization_id = place."organizationId"), 0))) as at
    from (select distinct "apiKeyId", "organizationId" from item) as place`;
}
