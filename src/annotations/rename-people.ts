import { md5 } from '../lib/ids.ts';
import type { Fields } from '../lib/json.ts';
import type { UserChanges, Visibility } from '../shapes/annotations/annotation.ts';
import type { User } from '../shapes/user.ts';
import type { StoredAnnotation } from './present-annotation.ts';

/** The new user by the id of the old one. */
export type Renames = ReadonlyMap<string, User>;

/** The renames from pairs of an old and a new user. */
export const renamesOf = (changes: UserChanges): Renames =>
  new Map(changes.map(({ oldUser, newUser }) => [oldUser.userId, newUser]));

/** The annotation with its people renamed; undefined if it names none of them. */
export function renamePeople(row: StoredAnnotation, renames: Renames): StoredAnnotation | undefined {
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
  const visibility = renamedVisibility(row, renames);
  const patch: Fields = {
    ...person('from'),
    ...person('assignedTo'),
    ...id('resolvedByUserId'),
    ...id('statusUpdatedByUserId'),
    ...ids('involvedUserIds'),
    ...ids('mentionedUserIds'),
    ...renamedSubscriptions(body, renames),
    ...(visibility !== row.visibility && { visibilityConfig: visibility }),
  };
  if (Object.keys(patch).length === 0 && !renames.has(row.authorId)) return undefined;
  return {
    ...row,
    authorId: renames.get(row.authorId)?.userId ?? row.authorId,
    visibility: visibility,
    body: { ...body, ...patch },
  };
}

function renamedVisibility({ visibility }: StoredAnnotation, renames: Renames): Visibility | null {
  if (visibility?.type !== 'restricted') return visibility;
  const { userIds } = visibility;
  if (!userIds.some((userId) => renames.has(userId))) return visibility;
  const now = userIds.map((userId) => renames.get(userId)?.userId ?? userId);
  return { ...visibility, userIds: [...new Set(now)] };
}

function renamedSubscriptions(body: Fields, renames: Renames): Fields | undefined {
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
