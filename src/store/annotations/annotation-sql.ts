import { type RawBuilder, sql } from 'kysely';

/**
 * Adds the missing ids to an id list in the body of an annotation. The present ids are looked up in a hash, because
 * testing the body for each id would detoast it every time.
 */
export const withIds = (key: 'involvedUserIds' | 'mentionedUserIds', ids: RawBuilder<unknown>) => sql`
  coalesce(body -> ${sql.lit(key)}, '[]') || (select coalesce(jsonb_agg(id), '[]')
    from jsonb_array_elements_text(${ids}) as added(id)
    where id not in (select jsonb_array_elements_text(coalesce(body -> ${sql.lit(key)}, '[]'))))`;

/** `subscribedUsers` of an annotation's body with these subscriptions, except those of users who unsubscribed. */
export const withSubscribers = (subscriptions: RawBuilder<unknown>) => sql`
  ${subscriptions} - array(select jsonb_object_keys(coalesce(body -> 'unsubscribedUsers', '{}')))
    || coalesce(body -> 'subscribedUsers', '{}')`;

/**
 * The fields `commentAnnotation` and `visibility` of an event, as `annotationEvent` makes them, for a statement that has the
 * annotation as a row named `annotation`.
 */
export const annotationRecord = sql`
  jsonb_build_object('commentAnnotation',
    jsonb_build_object('visibilityConfig', jsonb_build_object('type', 'public')) || annotation.body
    || jsonb_build_object('annotationId', annotation.annotation_id,
      'annotationNumber', annotation.annotation_number, 'annotationIndex', annotation.annotation_number,
      'metadata', coalesce(annotation.body -> 'metadata', '{}') || jsonb_build_object(
        'apiKey', annotation.api_key_id, 'organizationId', annotation.organization_id,
        'documentId', annotation.document_id),
      'createdAt', annotation.created_at, 'lastUpdated', annotation.last_updated)
    || case when annotation.location_id is null then '{}' else jsonb_build_object('locationId',
      cast(cast('x' || left(md5(annotation.location_id), 12) as bit(48)) as bigint)) end)
  || case when annotation.visibility is null then '{}' else jsonb_build_object('visibility', annotation.visibility) end`;
