import { type Connection, unanswered } from './connection.ts';
import { isRepeatable, RedpenError } from './errors.ts';
import type { LiveEvent, LiveEventFamily, LiveEventName } from './live-events.ts';
import { notify } from './notify.ts';
import { readMessages, type StreamMessage } from './sse.ts';
import { sleep } from './waiting.ts';

export type * from './live-events.ts';

interface Selection {
  /** Only events of this document. */
  documentId?: string | undefined;
  /** Only these events or families of events; all by default. */
  families?: readonly (LiveEventFamily | LiveEventName)[] | undefined;
  /** The id of the last known event, to continue after it. */
  lastEventId?: string | undefined;
}

/** Events of an organization; with `scope`, those of runs without a document, which belong to no organization. */
export type EventsQuery = Selection &
  ({ organizationId: string; scope?: undefined } | { scope: 'apiKey'; organizationId?: undefined });

export interface EventsOptions {
  signal?: AbortSignal | undefined;
  /** Called when the stream is open: all changes after a read of the state that begins now arrive as events. */
  onOpen?: (() => void) | undefined;
}

/** What live stores also want to know about a stream. */
export interface StreamOptions extends EventsOptions {
  /** Called with each position without an event. The first one follows `onOpen`, before any event. */
  onPosition?: ((id: string) => void) | undefined;
  /** Called when the connection breaks or cannot be opened. It is opened again. */
  onClose?: (() => void) | undefined;
}

/** The service sends its position every 15 seconds, so a stream that is silent for so long is dead. */
const SILENCE_MS = 45_000;
const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 30_000;

/**
 * The events of an organization or document, from now on. When the connection breaks, it is opened again, and the events
 * since then follow, each once. Ends when the document or organization is gone; throws if the request is refused.
 */
export async function* openEvents(
  connection: Connection,
  query: EventsQuery,
  { signal, onOpen, onPosition, onClose }: StreamOptions = {},
): AsyncGenerator<LiveEvent, void> {
  const { organizationId, scope, documentId, families } = query;
  const parameters = new URLSearchParams({
    ...(organizationId !== undefined && { organizationId }),
    ...(scope && { scope }),
    ...(documentId !== undefined && { documentId }),
    ...(families && { events: families.join() }),
  });
  let { lastEventId } = query;
  let isRenewed = false;
  for (let failures = 0, retryAfterMs = 0; ; retryAfterMs = 0) {
    signal?.throwIfAborted();
    const silence = silenceAfter(SILENCE_MS);
    try {
      const response = await connection.request(`/v2/events?${parameters}`, {
        headers: lastEventId === undefined ? {} : { 'last-event-id': lastEventId },
        signal: signal ? AbortSignal.any([signal, silence.signal]) : silence.signal,
      });
      failures = 0;
      isRenewed = false;
      let isOpen = false;
      for await (const message of readMessages(response.body!)) {
        silence.restart();
        lastEventId = message.id || lastEventId;
        // The first message has the position: if the connection broke before it, events of that time would be missing.
        if (!isOpen) notify(() => onOpen?.());
        isOpen = true;
        if (message.data === undefined) {
          if (message.id) onPosition?.(message.id);
          continue;
        }
        if (message.event !== 'end') {
          // While the receiver is busy, nothing is read.
          silence.stop();
          yield eventOf(message);
          silence.restart();
          continue;
        }
        const { reason } = JSON.parse(message.data) as { reason: string };
        if (reason === 'organization' || reason === 'document') return;
        if (reason === 'token') renewOrThrow(connection);
        break;
      }
    } catch (thrown) {
      signal?.throwIfAborted();
      const error = unanswered(thrown);
      if (error.httpStatus === 401 && connection.tokens && !isRenewed) isRenewed = true;
      else if (!isRepeatable(error)) throw error;
      failures++;
      retryAfterMs = error.retryAfterMs ?? 0;
    } finally {
      silence.stop();
    }
    onClose?.();
    // Jitter, so that not all clients of a service return at the same moment.
    const longest = Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** failures);
    await sleep(Math.max(retryAfterMs, longest * (0.5 + Math.random() / 2)), signal);
  }
}

function renewOrThrow(connection: Connection): void {
  if (!connection.tokens)
    throw new RedpenError('UNAUTHENTICATED', 'The credentials of the stream are no longer valid.');
  connection.tokens.drop();
}

const eventOf = ({ event, id, data }: StreamMessage): LiveEvent =>
  ({ event, id, data: JSON.parse(data!) }) as LiveEvent;

/** A signal that is aborted after a time without `restart`. */
function silenceAfter(ms: number) {
  const controller = new AbortController();
  const begin = () =>
    setTimeout(() => controller.abort(new RedpenError('UNAVAILABLE', 'The stream is silent.')), ms);
  let timer = begin();
  const stop = () => clearTimeout(timer);
  return {
    signal: controller.signal,
    stop,
    restart() {
      stop();
      timer = begin();
    },
  };
}
