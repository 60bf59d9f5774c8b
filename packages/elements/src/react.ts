import { createComponent, type EventName, type ReactWebComponent } from '@lit/react';
import type {
  NotificationsQuery,
  NotificationsStore,
  PresenceQuery,
  PresenceStore,
  Redpen,
  RunStore,
  Store,
  ThreadsQuery,
  ThreadsStore,
} from '@redpen/client';
import * as React from 'react';
import {
  RpComposer,
  RpDiff,
  RpFindings,
  RpInbox,
  RpPins,
  RpPresence,
  RpProvider,
  RpRun,
  RpThread,
  RpThreads,
} from './elements.ts';
import type { RedpenEvents } from './events.ts';

export type * from './elements.ts';

/** The name of an event, with which the wrapper knows its type. */
const on = <N extends keyof RedpenEvents>(name: N) => name as unknown as EventName<RedpenEvents[N]>;

const wrap = <I extends HTMLElement, E extends Record<string, EventName | string>>(
  tagName: string,
  elementClass: new () => I,
  events: E,
): ReactWebComponent<I, E> => createComponent({ react: React, tagName, elementClass, events });

export const Pins = wrap('rp-pins', RpPins, {
  onPinSelect: on('rp-pin-select'),
  onPinHover: on('rp-pin-hover'),
  onPinClose: on('rp-pin-close'),
});

export const Findings = wrap('rp-findings', RpFindings, {
  onFindingSelect: on('rp-finding-select'),
  onFindingHover: on('rp-finding-hover'),
  onFindingDecide: on('rp-finding-decide'),
  onFindingsDecided: on('rp-findings-decided'),
  onFindingsFilter: on('rp-findings-filter'),
});

export const Run = wrap('rp-run', RpRun, {
  onRunChange: on('rp-run-change'),
  onRunCancel: on('rp-run-cancel'),
});

export const Diff = wrap('rp-diff', RpDiff, {});

export const Composer = wrap('rp-composer', RpComposer, {
  onWritten: on('rp-submit'),
  onClosed: on('rp-cancel'),
});

export const Thread = wrap('rp-thread', RpThread, { onThreadAction: on('rp-thread-action') });

export const Threads = wrap('rp-threads', RpThreads, {
  onThreadSelect: on('rp-thread-select'),
  onThreadAction: on('rp-thread-action'),
  onThreadAdd: on('rp-thread-add'),
  onThreadsFilter: on('rp-threads-filter'),
});

export const Inbox = wrap('rp-inbox', RpInbox, {
  onNotificationOpen: on('rp-notification-open'),
  onNotificationsRead: on('rp-notifications-read'),
});

export const Presence = wrap('rp-presence', RpPresence, { onPresenceJoin: on('rp-presence-join') });

const Provider = wrap('rp-provider', RpProvider, {});

const ClientContext = React.createContext<Redpen | undefined>(undefined);

/** Gives the client and all else to the elements within it, and the client to the hooks. */
export function RedpenProvider(props: React.ComponentProps<typeof Provider>): React.ReactElement {
  const { client } = props;
  return React.createElement(ClientContext.Provider, { value: client }, React.createElement(Provider, props));
}

/** The client of the nearest `RedpenProvider`. */
export function useRedpen(): Redpen {
  const client = React.useContext(ClientContext);
  if (!client) throw new TypeError('useRedpen needs a RedpenProvider with a client around it.');
  return client;
}

/** The state of a store, and the store itself, whose methods change it. */
export function useStore<T extends Store<object>>(store: T): ReturnType<T['get']> & { store: T } {
  const get = store.get as () => ReturnType<T['get']>;
  return { ...React.useSyncExternalStore(store.subscribe, get, get), store };
}

type Live<T extends Store<object>> = ReturnType<T['get']> & { store: T };

/** The threads of a document, with conditions as in `annotations.list`. */
export const useThreads = (query: ThreadsQuery): Live<ThreadsStore> =>
  useStore(useRedpen().live.threads(query));

export const useNotifications = (query: NotificationsQuery): Live<NotificationsStore> =>
  useStore(useRedpen().live.notifications(query));

export const usePresence = (query: PresenceQuery): Live<PresenceStore> =>
  useStore(useRedpen().live.presence(query));

/** A run of an agent. */
export const useRun = (executionId: string): Live<RunStore> => useStore(useRedpen().live.run(executionId));
