export { type LiveStores, liveOf as liveStores } from './live.ts';
export type { NotificationsQuery, NotificationsState, NotificationsStore } from './stores/notifications.ts';
export type { UnsentWrite } from './stores/outbox.ts';
export type { OutboxStorage, StoredWrite } from './stores/outbox-storage.ts';
export type { OwnPresence, PresenceQuery, PresenceState, PresenceStore } from './stores/presence.ts';
export type { RunState, RunStore } from './stores/run.ts';
export type { Store, StoreState, StoreStatus } from './stores/store.ts';
export type {
  NewThread,
  ReactionTarget,
  Thread,
  ThreadChanges,
  ThreadsQuery,
  ThreadsState,
  ThreadsStore,
} from './stores/threads.ts';
