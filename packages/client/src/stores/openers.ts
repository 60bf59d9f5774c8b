import type { Connection } from '../connection.ts';
import { notificationsStore } from './notifications.ts';
import { presenceStore } from './presence.ts';
import { runStore } from './run.ts';
import type { Store } from './store.ts';
import { threadsStore } from './threads.ts';

const openers: Record<string, (connection: Connection, query: never, initial: never) => Store<object>> = {
  threads: threadsStore,
  notifications: notificationsStore,
  presence: presenceStore,
  run: runStore,
};

/** Makes a store of a kind. */
export const openStore = (kind: string, connection: Connection, query: unknown, initial: unknown) =>
  openers[kind]!(connection, query as never, initial as never);
