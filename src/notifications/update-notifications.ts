import { authorize, authorizeInOrganization } from '../access/authorize.ts';
import type { Tx } from '../db/tables.ts';
import { permissionDenied } from '../lib/errors.ts';
import type { Caller, Scope, TokenUser } from '../lib/scope.ts';
import { accessFieldsOf, type NotificationUpdate } from '../shapes/notification.ts';
import { loadReader } from '../store/access/visibility-sql.ts';
import { changeNotifications, lockNotifications } from '../store/notifications/change-notifications.ts';
import { findInInbox } from '../store/notifications/list-notifications.ts';
import { learnUsers } from '../store/notifications/notifications.ts';
import { recordReads, setRecipients } from '../store/notifications/recipients.ts';
import { usersWithAccess } from './users-with-access.ts';

export interface UpdateRequest {
  organizationId: string;
  documentId?: string | undefined;
  locationId?: string | undefined;
  userId?: string | undefined;
  verifyUserPermissions: boolean;
  notifications: NotificationUpdate[];
}

/** Applies the changes of an API key, and returns the ids of the notifications that exist. */
export async function updateAsKey(tx: Tx, scope: Scope, request: UpdateRequest): Promise<Set<string>> {
  const { organizationId } = request;
  const byId = mergedById(request.notifications);
  const locked = await lockNotifications(tx, scope, { ...request, notificationIds: [...byId.keys()] });
  const updates = locked.map(({ notificationId, documentId }) => ({
    documentId,
    ...byId.get(notificationId)!,
  }));
  await changeNotifications(tx, scope, organizationId, updates.map(changeOf));
  await learnUsers(
    tx,
    scope,
    updates.flatMap(({ actionUser, notifyUsers }) => [
      ...(actionUser ? [actionUser] : []),
      ...(notifyUsers ?? []),
    ]),
  );
  const mayReceive = request.verifyUserPermissions
    ? await accessOf(tx, scope, organizationId, updates)
    : () => true;
  await setRecipients(
    tx,
    scope,
    organizationId,
    updates.flatMap(({ id, documentId, notifyUsers }) =>
      notifyUsers
        ? {
            notificationId: id,
            userIds: notifyUsers
              .map(({ userId }) => userId)
              .filter((userId) => mayReceive(documentId, userId)),
          }
        : [],
    ),
  );
  await recordReads(
    tx,
    scope,
    organizationId,
    updates.flatMap(({ id, readByUserIds, persistReadForUsers }) =>
      readByUserIds
        ? { notificationId: id, read: readByUserIds, unread: [], othersUnread: !persistReadForUsers }
        : [],
    ),
  );
  return new Set(updates.map(({ id }) => id));
}

/**
 * Sets the read state of notifications in a user's inbox, and returns the ids of those in it. The user needs edit access
 * to their documents. Throws PERMISSION_DENIED for any other change.
 */
export async function updateAsUser(
  tx: Tx,
  caller: Caller,
  user: TokenUser,
  request: UpdateRequest,
): Promise<Set<string>> {
  const byId = mergedById(request.notifications);
  const refuse = () => permissionDenied('A user can only change what they have read themselves.');
  if (request.userId !== undefined && request.userId !== user.userId) throw refuse();
  for (const { id, readByUserIds, persistReadForUsers, ...more } of byId.values()) {
    if (Object.values(more).some((value) => value !== undefined)) throw refuse();
    if (readByUserIds?.some((userId) => userId !== user.userId)) throw refuse();
  }
  const { organizationId } = request;
  const reader = (await loadReader(tx, caller, organizationId))!;
  const selection = { ...request, notificationIds: [...byId.keys()] };
  const found = await findInInbox(tx, caller, selection, { reader, namedSuffices: false });
  for (const documentId of new Set(found.map(({ documentId }) => documentId))) {
    if (documentId === null) await authorizeInOrganization(tx, caller, organizationId, 'editor');
    else await authorize(tx, caller, { organizationId, documentId }, 'editor');
  }
  const notificationIds = found.map(({ notificationId }) => notificationId);
  const locked = await lockNotifications(tx, caller, { organizationId, notificationIds });
  const mine = [user.userId];
  await recordReads(
    tx,
    caller,
    organizationId,
    locked.flatMap(({ notificationId }) => {
      const { readByUserIds } = byId.get(notificationId)!;
      if (!readByUserIds) return [];
      const isRead = readByUserIds.length > 0;
      return { notificationId, read: isRead ? mine : [], unread: isRead ? [] : mine, othersUnread: false };
    }),
  );
  return new Set(notificationIds);
}

/** Merges updates with the same id; later fields win. */
function mergedById(updates: NotificationUpdate[]): Map<string, NotificationUpdate> {
  const byId = new Map<string, NotificationUpdate>();
  for (const update of updates) byId.set(update.id, { ...byId.get(update.id), ...update });
  return byId;
}

const changeOf = ({
  id,
  documentId,
  notifyUsers,
  readByUserIds,
  persistReadForUsers,
  ...body
}: NotificationUpdate & { documentId: string | null }) => ({
  notificationId: id,
  actionUserId: body.actionUser?.userId ?? null,
  locationId: body.location?.id ?? null,
  accessFields: body.context && accessFieldsOf(body.context),
  body,
});

/** Tells which named users have access to a document, or to the organization if there is no document. */
async function accessOf(
  tx: Tx,
  scope: Scope,
  organizationId: string,
  updates: { documentId: string | null; notifyUsers?: { userId: string }[] | undefined }[],
): Promise<(documentId: string | null, userId: string) => boolean> {
  const access = new Map<string | null, Set<string>>();
  for (const [documentId, ofDocument] of Map.groupBy(updates, (update) => update.documentId)) {
    const userIds = [
      ...new Set(ofDocument.flatMap(({ notifyUsers }) => (notifyUsers ?? []).map(({ userId }) => userId))),
    ];
    access.set(documentId, await usersWithAccess(tx, scope, organizationId, documentId, userIds));
  }
  return (documentId, userId) => access.get(documentId)!.has(userId);
}
