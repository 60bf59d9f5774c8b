import { sql } from 'kysely';
import { z } from 'zod';
import { anyOf, rowsOf } from '../../db/sql-fragments.ts';
import type { Db } from '../../db/tables.ts';
import type { Scope } from '../../lib/scope.ts';

const row = z.object({
  annotationId: z.string(),
  origin: z.enum(['suggestion', 'status']),
  reasoning: z.string(),
  createdAt: z.number(),
  /** The name of the assistant that decided for the person. */
  assistant: z.string().nullable(),
  actionUser: z.looseObject({ userId: z.string(), name: z.string().nullish() }),
});
export type RecordedDecision = z.infer<typeof row>;

/**
 * The latest decisions on each annotation's suggestion, and on its status: of a person, and of each assistant for one.
 * Revoked ones are not among them.
 */
export const decisionsOnAnnotations = (
  db: Db,
  { apiKeyId }: Pick<Scope, 'apiKeyId'>,
  organizationId: string,
  annotationIds: readonly string[],
): Promise<RecordedDecision[]> =>
  rowsOf(
    db,
    row,
    sql`select distinct on (annotation_id, origin, assistant) annotation_id, origin, assistant, reasoning, created_at,
        action_user
      from (select *, case when agent ->> 'isAssistant' = 'true' then agent ->> 'agentName' end as assistant
        from judgments) as judgments
      where api_key_id collate "C" = ${apiKeyId} and organization_id = ${organizationId}
        and annotation_id = ${anyOf(annotationIds)} and origin in ('suggestion', 'status')
        and (judge_type = 'human' or assistant is not null)
      order by annotation_id, origin, assistant, created_at desc, judgment_id desc`,
  );
