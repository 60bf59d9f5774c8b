import { sql } from 'kysely';
import { json } from '../../db/sql-fragments.ts';
import { erasePeople, tracesOf } from '../../lib/erase-people.ts';
import type { Fields } from '../../lib/json.ts';
import type { Step } from './erasure-passes.ts';

/** Small, since messages may be large and are read whole. */
const BATCH = 100;

interface MessageRow {
  messageId: string;
  /** Null if it contains no trace of the users. */
  body: string | null;
  basicBody: string | null;
}

/**
 * Erases users from messages, including undelivered ones that may be replayed. Stored responses of receivers to such
 * messages may mention them as well, and are deleted.
 */
export const webhookMessages: Step = {
  name: 'webhook_messages',
  async run(tx, { apiKeyId, userIds }, _organizationId, after) {
    const traces = json(tracesOf(userIds));
    const behind = after ? sql`and message_id > ${after[0]}` : sql``;
    const { rows } = await sql<MessageRow>`
      select message_id, case when traced then body end as body, case when traced then basic_body end as basic_body
      from (
        select message_id, body, basic_body, exists (
          select 1 from jsonb_array_elements_text(${traces}) as trace(text)
          where strpos(body, trace.text) > 0 or strpos(coalesce(basic_body, ''), trace.text) > 0) as traced
        from webhook_messages where api_key_id = ${apiKeyId} ${behind}
        order by message_id limit ${BATCH}) as page
      order by message_id`.execute(tx);
    const erased = rows.flatMap(({ messageId, body, basicBody }) =>
      body === null
        ? []
        : [
            {
              messageId,
              body: withoutPeople(body, userIds),
              basicBody: basicBody && withoutPeople(basicBody, userIds),
            },
          ],
    );
    if (erased.length > 0) {
      await sql`
        update webhook_messages set body = item.body, basic_body = item."basicBody"
        from jsonb_to_recordset(${json(erased)}) as item("messageId" text, body text, "basicBody" text)
        where webhook_messages.api_key_id = ${apiKeyId}
          and webhook_messages.message_id = item."messageId"`.execute(tx);
      const messageIds = json(erased.map(({ messageId }) => messageId));
      await sql`
        update webhook_deliveries set attempts =
          (select coalesce(jsonb_agg(attempt.one - 'response' order by attempt.position), '[]')
            from jsonb_array_elements(attempts) with ordinality as attempt(one, position))
        where api_key_id = ${apiKeyId} and message_id in (select jsonb_array_elements_text(${messageIds}))`.execute(
        tx,
      );
    }
    return rows.length < BATCH ? undefined : [rows.at(-1)!.messageId];
  },
};

const CONFIGS = ['usersOrganizationNotificationsConfig', 'usersDocumentNotificationsConfig'];

/** Erases users from a message. The ids of its record stay, as in events. */
function withoutPeople(text: string, userIds: readonly string[]): string {
  const { data, ...body } = JSON.parse(text) as Fields;
  const rest = Object.fromEntries(
    Object.entries(body).map(([key, value]) => [
      key,
      CONFIGS.includes(key) ? withoutKeys(value as Fields, userIds) : value,
    ]),
  );
  return JSON.stringify({
    ...erasePeople(rest, userIds),
    ...(data !== undefined && { data: erasePeople(data, userIds) }),
  });
}

const withoutKeys = (record: Fields, keys: readonly string[]): Fields =>
  Object.fromEntries(Object.entries(record).filter(([key]) => !keys.includes(key)));
