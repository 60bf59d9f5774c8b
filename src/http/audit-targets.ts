import type { Db } from '../db/tables.ts';
import type { Scope } from '../lib/scope.ts';
import type { Resource, ResourceRef } from '../shapes/permission.ts';
import { organizationOf, toTokenGrant } from '../shapes/permission.ts';
import type { AuditAct } from '../store/audit/record-audit.ts';
import { type GrantState, grantKey, grantStates, grantsOfUser } from '../store/audit/states-before.ts';
import { getServiceConfig, type Service } from '../store/platform/service-configs.ts';
import { type AddedUser, resourceOf, type UserPlace } from '../store/users/users.ts';
import type { AuditTarget } from './endpoint.ts';

interface Context {
  db: Db;
  caller: Scope;
}

/** The ids of the items of a batch that succeeded. */
export const succeeded = (items: Readonly<Record<string, { success: boolean }>>): string[] =>
  Object.keys(items).filter((id) => items[id]!.success);

/** For `before` of an operation: the settings of a service of the API key. */
export const configOf =
  (service: Service) =>
  async (_data: unknown, { db, caller }: Context): Promise<unknown> =>
    (await getServiceConfig(db, caller, service))?.config;

/** For `before` of an operation on users of a place: their grants there. */
export const usersBefore = (
  {
    users,
    userIds = [],
    ...place
  }: UserPlace & { users?: readonly { userId: string }[]; userIds?: readonly string[] },
  { db, caller }: Context,
): Promise<Map<string, GrantState>> => {
  const { organizationId } = place;
  const ids = users?.map(({ userId }) => userId) ?? userIds;
  return grantStates(db, caller, { organizationId, ...resourceOf(place) }, ids);
};

interface PlacedUsers extends UserPlace {
  users: readonly { userId: string; accessRole?: string | undefined }[];
}

/** Users who are new in a place or get another role there. Those who stay as they are need no entry. */
export const grantedTo = (
  { users, ...place }: PlacedUsers,
  before: ReadonlyMap<string, unknown>,
  isThere: (userId: string) => boolean = () => true,
): AuditTarget[] => {
  const last = new Map(users.map((user) => [user.userId, user]));
  return [...last.values()].flatMap(({ userId, accessRole }) => {
    const earlier = before.get(userId) as GrantState | undefined;
    const next = accessRole ?? earlier?.accessRole ?? 'editor';
    if (!isThere(userId) || earlier?.accessRole === next) return [];
    return [
      { id: userId, ...inPlace(place), before: earlier, after: { ...folderOf(place), accessRole: next } },
    ];
  });
};

/** Acts for users whom `addUsers` has added, or given another role. */
export const grantsIn = (place: UserPlace, added: readonly AddedUser[]): AuditAct[] =>
  added
    .filter(({ accessRole, roleBefore }) => accessRole !== roleBefore)
    .map(({ userId, accessRole, roleBefore }) => ({
      action: 'access.granted',
      id: userId,
      ...inPlace(place),
      before: roleBefore === null ? undefined : { accessRole: roleBefore },
      after: { ...folderOf(place), accessRole },
    }));

export const inPlace = ({ organizationId, documentId }: UserPlace) => ({ organizationId, documentId });
export const folderOf = ({ folderId }: UserPlace) => (folderId === undefined ? {} : { folderId });

/** For `before` of an operation on grants of one user. */
export const grantsBefore = (
  { userId, resources }: { userId: string; resources: readonly ResourceRef[] },
  { db, caller }: Context,
): Promise<Map<string, GrantState>> =>
  grantsOfUser(db, caller, userId, [...new Set(resources.map(organizationOf))]);

/** The place of a resource, with the grant on it that was before. */
export const onResource = (
  userId: string,
  ref: ResourceRef,
  before: ReadonlyMap<string, unknown>,
): AuditTarget => ({
  id: userId,
  organizationId: organizationOf(ref),
  documentId: ref.type === 'document' ? ref.id : undefined,
  before: before.get(grantKey(organizationOf(ref), ref.type, ref.id)),
});

/** Grants that are new or that change. */
export const grantedOn = (
  userId: string,
  resources: readonly Resource[],
  before: ReadonlyMap<string, unknown>,
): AuditTarget[] =>
  resources.flatMap((granted) => {
    const target = onResource(userId, granted, before);
    const { accessRole, expiresAt = null } = toTokenGrant(granted);
    const earlier = target.before as GrantState | undefined;
    if (earlier?.accessRole === accessRole && earlier.expiresAt === expiresAt) return [];
    const folderId = granted.type === 'folder' ? granted.id : undefined;
    return [{ ...target, after: { ...(folderId !== undefined && { folderId }), accessRole, expiresAt } }];
  });
