import { sql } from 'kysely';
import type { StoredAnnotation } from '../../annotations/record.ts';
import { json } from '../../db/sql-fragments.ts';
import type { Tx } from '../../db/tables.ts';
import { md5 } from '../../lib/ids.ts';
import type { Fields } from '../../lib/json.ts';
import type { Scope } from '../../lib/scope.ts';
import type { UserChanges } from '../../shapes/annotations/annotation.ts';
import type { User } from '../../shapes/user.ts';
import type { Place } from './comments.ts';

/** Who becomes whom, by the old id. */
export type Renames = ReadonlyMap<string, User>;

export const renamesOf = (changes: UserChanges): Renames =>
  new Map(changes.map(({ oldUser, newUser }) => [oldUser.userId, newUser]));

/** The annotation with everybody in it renamed, or undefined where nobody is. */
export function renamed(row: StoredAnnotation, renames: Renames): StoredAnnotation | undefined {
  const { body } = row;
  const person = (key: string) => {
    const user = body[key] as User | undefined;
    const newUser = user && renames.get(user.userId);
    return newUser && { [key]: newUser };
  };
  const id = (key: string) => {
    const newUser = renames.get(body[key] as string);
    return newUser && { [key]: newUser.userId };
  };
  const ids = (key: string) => {
    const before = (body[key] ?? []) as string[];
    if (!before.some((userId) => renames.has(userId))) return undefined;
    return { [key]: [...new Set(before.map((userId) => renames.get(userId)?.userId ?? userId))] };
  };
  const patch: Fields = {
    ...person('from'),
    ...person('assignedTo'),
    ...id('resolvedByUserId'),
    ...id('statusUpdatedByUserId'),
    ...ids('involvedUserIds'),
    ...ids('mentionedUserIds'),
    ...subscriptions(body, renames),
    ...readers(row, renames),
  };
  if (Object.keys(patch).length === 0 && !renames.has(row.authorId)) return undefined;
  return {
    ...row,
    authorId: renames.get(row.authorId)?.userId ?? row.authorId,
    visibility: (patch.visibilityConfig as Fields | undefined) ?? row.visibility,
    body: { ...body, ...patch },
  };
}

/** Who alone may see it. */
function readers({ visibility }: StoredAnnotation, renames: Renames): Fields | undefined {
  const { userIds } = (visibility ?? {}) as { userIds?: string[] };
  if (!userIds?.some((userId) => renames.has(userId))) return undefined;
  const now = userIds.map((userId) => renames.get(userId)?.userId ?? userId);
  return { visibilityConfig: { ...visibility, userIds: [...new Set(now)] } };
}

function subscriptions(body: Fields, renames: Renames): Fields | undefined {
  const before = Object.entries((body.subscribedUsers ?? {}) as Record<string, { user: User }>);
  if (!before.some(([, { user }]) => renames.has(user.userId))) return undefined;
  return {
    subscribedUsers: Object.fromEntries(
      before.map(([key, entry]) => {
        const newUser = renames.get(entry.user.userId);
        return newUser ? [md5(newUser.userId), { ...entry, user: newUser }] : [key, entry];
      }),
    ),
  };
}

/** Gives comments of these annotations their author's new name; answers the annotations that have some. */
export async function renameCommentAuthors(
  tx: Tx,
  { apiKeyId }: Scope,
  { organizationId, documentId }: Place,
  annotationIds: readonly string[],
  renames: Renames,
): Promise<Set<string>> {
  const items = [...renames].map(([oldId, user]) => ({ oldId, newId: user.userId, user }));
  const { rows } = await sql<{ annotationId: string }>`
    update comments set author_id = item."newId", body = comments.body || jsonb_build_object('from', item."user")
    from jsonb_to_recordset(${json(items)}) as item("oldId" text, "newId" text, "user" jsonb)
    where comments.api_key_id = ${apiKeyId} and comments.organization_id = ${organizationId}
      and comments.document_id = ${documentId}
      and comments.annotation_id = any(cast(${annotationIds} as text[]))
      and comments.author_id = item."oldId"
    returning comments.annotation_id`.execute(tx);
  return new Set(rows.map((row) => row.annotationId));
}
