import type { Connection } from '../connection.ts';
import type { NewPresence, Presence, User } from '../operations.ts';
import { persevere } from './away.ts';
import { DOCUMENT_EVENTS, liveList } from './live-list.ts';
import type { Store, StoreState } from './store.ts';

export interface PresenceQuery {
  organizationId: string;
  documentId: string;
}

export interface PresenceState extends StoreState {
  /** In the order of their ids. */
  readonly users: readonly Presence[];
}

export interface OwnPresence {
  /** Required with an API key. */
  user?: User | undefined;
  /** `online` by default. */
  status?: Presence['status'] | undefined;
  /** Other fields to show to the others, such as the position of a cursor. */
  data?: Record<string, unknown> | undefined;
}

/** The users who are present on a document. */
export interface PresenceStore extends Store<PresenceState> {
  /** Shows the user to the others, until `leave` or until the page is closed. */
  join(own?: OwnPresence): Promise<void>;
  /** Changes status or data; what is not given keeps its value. */
  update(own: Omit<OwnPresence, 'user'>): Promise<void>;
  leave(): Promise<void>;
}

const PATH = '/v2/presence/';

export function presenceStore(
  connection: Connection,
  place: PresenceQuery,
  initial: PresenceState,
): PresenceStore {
  let own: NewPresence | undefined;
  let joining: Promise<void> | undefined;
  let before: Promise<unknown> | undefined;
  const send = (operation: string, data: object) =>
    persevere(() => connection.send(PATH + operation, { ...place, ...data }));
  /** True once the page is left. Browsers report that it is hidden after that, which must not bring the user back. */
  let isGone = false;
  function arrive(): void {
    isGone = false;
    if (own) send('add', { users: [own] }).catch(() => {});
  }
  function depart(): void {
    if (!own) return;
    isGone = true;
    const body = JSON.stringify({ data: { ...place, userIds: [own.userId] } });
    const headers = { 'content-type': 'application/json' };
    // The request outlives the page.
    const init = { method: 'POST', headers, body, keepalive: true };
    connection.request(`${PATH}delete`, init).catch(() => {});
  }

  const list = liveList<Presence, PresenceState>(connection, {
    initial,
    events: { ...place, families: DOCUMENT_EVENTS },
    path: `${PATH}get`,
    query: place,
    idOf: ({ userId }) => userId,
    apply({ event, data }, users) {
      if (event === 'presence.update') {
        for (const user of data.users) users.set(user.userId, { ...user, lastUpdated: data.at });
      }
      if (event === 'presence.delete') {
        for (const userId of data.userIds) users.delete(userId);
        // Another tab of the user is closed, and this one is still there.
        if (data.userIds.includes(own?.userId ?? '')) arrive();
      }
      return [];
    },
    view(users) {
      const known = users.find(({ userId }) => userId === own?.userId);
      const others = users.filter((user) => user !== known);
      if (own) others.push({ status: 'online', lastUpdated: Date.now(), ...known, ...own });
      return { users: others.sort((a, b) => (a.userId < b.userId ? -1 : 1)) };
    },
  });

  /** Shows the change at once, and takes it back if it is refused. Changes are sent one after the other. */
  async function put(next: NewPresence | undefined, operation: string, data: object): Promise<void> {
    const previous = own;
    own = next;
    list.refresh();
    try {
      const sent = Promise.allSettled([before]).then(() => (isGone ? undefined : send(operation, data)));
      before = sent;
      await sent;
    } catch (error) {
      if (own === next) own = previous;
      list.refresh();
      throw error;
    }
  }

  async function join({ user, status = 'online', data }: OwnPresence): Promise<void> {
    const who = user ?? (await list.user());
    if (!who) throw new TypeError('With an API key, join needs a user.');
    const next = { ...data, ...who, status };
    globalThis.addEventListener?.('pagehide', depart);
    globalThis.addEventListener?.('pageshow', arrive);
    await put(next, 'add', { users: [next] });
  }

  return {
    get: list.get,
    subscribe: list.subscribe,
    join(given = {}) {
      joining = join(given);
      return joining;
    },
    async update({ status, data }) {
      if (!own) await joining;
      if (!own) throw new TypeError('The user has not joined.');
      const next = { ...own, ...data, ...(status && { status }) };
      await put(next, 'update', { users: [next] });
    },
    async leave() {
      if (!own) await joining;
      if (!own) return;
      globalThis.removeEventListener?.('pagehide', depart);
      globalThis.removeEventListener?.('pageshow', arrive);
      await put(undefined, 'delete', { userIds: [own.userId] });
    },
  };
}
