import type { Connection } from '../connection.ts';
import type { Notification, NotificationsGetRequest } from '../operations.ts';
import { liveList } from './live-list.ts';
import type { UnsentWrite } from './outbox.ts';
import type { StoredWrite } from './outbox-storage.ts';
import type { Store, StoreState } from './store.ts';

export type NotificationsQuery = Pick<NotificationsGetRequest, 'organizationId' | 'documentId'> & {
  /** The user whose notifications they are; required with an API key. */
  userId?: string;
  /** Most notifications in the state, the newest; 500 by default. */
  max?: number;
};

export interface NotificationsState extends StoreState {
  /** The newest first. */
  readonly notifications: readonly Notification[];
  /** Number of these that are unread. */
  readonly unread: number;
  readonly unsent: readonly UnsentWrite[];
}

/** The notifications of a user in an organization. */
export interface NotificationsStore extends Store<NotificationsState> {
  markRead(notificationIds: readonly string[]): Promise<void>;
  /** Marks all notifications in the state as read. */
  markAllRead(): Promise<void>;
  /** Forgets an unsent write. */
  discard(id: string): Promise<void>;
}

const MAX = 500;

interface Marking {
  notifications: { id: string }[];
}

export function notificationsStore(
  connection: Connection,
  { max = MAX, ...query }: NotificationsQuery,
  initial: NotificationsState,
): NotificationsStore {
  const { organizationId, documentId, userId } = query;
  const idsOf = ({ data }: StoredWrite) => (data as Marking).notifications.map(({ id }) => id);
  const list = liveList<Notification, NotificationsState>(connection, {
    initial,
    events: { organizationId, families: ['notification'] },
    path: '/v2/notifications/get',
    query,
    idsField: 'notificationIds',
    max,
    idOf: ({ id }) => id,
    // Whose it is, and whether it is unread, is in the list only.
    apply: ({ event, data }) => (event === 'notification.add' ? [data.notificationId] : []),
    place: JSON.stringify(['notifications', organizationId, documentId, userId]),
    idsOf,
    show(write, items) {
      for (const id of idsOf(write)) {
        const item = items.get(id);
        if (item) items.set(id, { ...item, isUnread: false });
      }
    },
    view(items, { unsent }) {
      const notifications = items.sort((a, b) => b.timestamp - a.timestamp).slice(0, max);
      return { notifications, unread: notifications.filter(({ isUnread }) => isUnread).length, unsent };
    },
  });

  async function markRead(ids: readonly string[]): Promise<void> {
    if (ids.length === 0) return;
    const user = list.user();
    const readByUserIds = [userId ?? (user instanceof Promise ? await user : user)?.userId];
    const notifications = ids.map((id) => ({ id, readByUserIds }));
    await list.write('', '/v2/notifications/update', { organizationId, notifications });
  }
  return {
    get: list.get,
    subscribe: list.subscribe,
    discard: list.discard,
    markRead,
    markAllRead: () =>
      markRead(list.get().notifications.flatMap(({ id, isUnread }) => (isUnread ? [id] : []))),
  };
}
