import type { Connection } from '../connection.ts';
import type { EventsQuery } from '../events.ts';
import type { LiveEvent } from '../live-events.ts';
import { persevere, wake } from './away.ts';
import { browserLocks } from './browser.ts';
import { identify, otherUser } from './identity.ts';

export interface EventsListener {
  /** True: what changes from now on arrives as events, as does what changed since the connection was lost. */
  onOpen(isOpen: boolean): void;
  onEvent(event: LiveEvent): void;
}

/** What the holder of a stream tells the others, or one of them asks. */
interface Message {
  isOpen?: boolean;
  position?: string | undefined;
  event?: LiveEvent;
}

/**
 * Listens to a stream of events until it ends. In a browser, stores and tabs with the same user and rights share it: one
 * of them holds the stream and passes the events on; when it is gone, the next one continues after the last event.
 */
export async function listenTo(
  connection: Connection,
  query: EventsQuery,
  signal: AbortSignal,
  { onOpen, onEvent }: EventsListener,
): Promise<void> {
  let channel: BroadcastChannel | undefined;
  let last: string | undefined;
  let isOpen: boolean | undefined;
  let isHolder = false;

  function take(message: Message): void {
    last = message.event?.id ?? message.position ?? last;
    // What happened before the first position is part of the state that is read after it.
    if (message.event && isOpen) onEvent(message.event);
    if (message.isOpen === undefined || message.isOpen === isOpen) return;
    isOpen = message.isOpen;
    onOpen(isOpen);
    if (isOpen) wake();
  }
  function publish(message: Message): void {
    take(message);
    channel?.postMessage(message);
  }
  const onClose = () => publish({ isOpen: false });

  /** The connection for requests of the user who listens, and no other. */
  const own: Connection = {
    ...connection,
    async request(path, init) {
      if ((await identify(connection)).rights !== rights) throw otherUser();
      return await connection.request(path, init);
    },
  };

  async function hold(): Promise<void> {
    // What the holder before has sent and did not arrive comes again.
    isHolder = true;
    const onPosition = (position: string) => publish({ position, isOpen: true });
    const { openEvents } = await import('../events.ts');
    const follow = async () => {
      const from = { ...query, lastEventId: last };
      for await (const event of openEvents(own, from, { signal, onPosition, onClose })) publish({ event });
    };
    await persevere(follow, signal, onClose);
  }

  const { rights } = await persevere(() => identify(connection), signal, onClose);
  const locks = browserLocks();
  if (!locks) return await hold();
  const name = `redpen-events ${rights} ${JSON.stringify(query)}`;
  channel = new BroadcastChannel(name);
  signal.addEventListener('abort', () => channel!.close());
  channel.onmessage = ({ data }: MessageEvent<Message>) => {
    const isAsked = data.isOpen === undefined && !data.event;
    if (!isHolder) take(data);
    else if (isAsked && isOpen !== undefined) channel!.postMessage({ position: last, isOpen });
  };
  channel.postMessage({});
  try {
    await locks.request(name, { signal }, hold);
  } catch (error) {
    // The browser refuses locks, as in a sandbox or without cookies.
    if (isHolder || signal.aborted) throw error;
    await hold();
  } finally {
    channel.close();
  }
}
