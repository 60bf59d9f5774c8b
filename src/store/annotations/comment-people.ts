import { type RawBuilder, sql } from 'kysely';

/**
 * An array of an annotation's body with the ids that it lacks. Those that are there are looked up in a hash:
 * asking the body for one id after the other would unpack it for each.
 */
export const withIds = (key: 'involvedUserIds' | 'mentionedUserIds', ids: RawBuilder<unknown>) => sql`
  coalesce(body -> ${sql.lit(key)}, '[]') || (select coalesce(jsonb_agg(id), '[]')
    from jsonb_array_elements_text(${ids}) as added(id)
    where id not in (select jsonb_array_elements_text(coalesce(body -> ${sql.lit(key)}, '[]'))))`;

/** The subscribers of an annotation's body and these, but for those who asked not to be. */
export const withSubscribers = (subscriptions: RawBuilder<unknown>) => sql`
  ${subscriptions} - array(select jsonb_object_keys(coalesce(body -> 'unsubscribedUsers', '{}')))
    || coalesce(body -> 'subscribedUsers', '{}')`;
