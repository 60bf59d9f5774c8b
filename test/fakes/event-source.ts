export interface ServerSentEvent {
  /** The `lastEventId` of a browser's event. */
  id: string;
  event: string;
  data: string;
}

export interface ParsedStream {
  /** Takes the next part of the text, split anywhere; returns the events that it completes. */
  push(text: string): ServerSentEvent[];
  lastEventId(): string;
  retryMs(): number | undefined;
  /** Number of comment lines, which clients ignore. */
  comments(): number;
}

/** Reads an event stream as browsers do (WHATWG HTML 9.2.6). */
export function parseEventStream(): ParsedStream {
  let buffered = '';
  let isFirst = true;
  let [data, event, idBuffer, lastEventId] = ['', '', '', ''];
  let retryMs: number | undefined;
  let comments = 0;

  const dispatch = (): ServerSentEvent[] => {
    lastEventId = idBuffer;
    const [text, type] = [data, event];
    [data, event] = ['', ''];
    return text === '' ? [] : [{ id: lastEventId, event: type || 'message', data: text.replace(/\n$/, '') }];
  };
  const field = (name: string, value: string) => {
    if (name === 'event') event = value;
    else if (name === 'data') data += `${value}\n`;
    else if (name === 'id' && !value.includes('\0')) idBuffer = value;
    else if (name === 'retry' && /^\d+$/.test(value)) retryMs = Number(value);
  };
  const line = (text: string): ServerSentEvent[] => {
    if (text === '') return dispatch();
    if (text.startsWith(':')) comments += 1;
    else {
      const colon = text.indexOf(':');
      if (colon === -1) field(text, '');
      else field(text.slice(0, colon), text.slice(colon + 1).replace(/^ /, ''));
    }
    return [];
  };

  return {
    push(text) {
      buffered += isFirst ? text.replace(/^\ufeff/, '') : text;
      isFirst &&= text === '';
      const events: ServerSentEvent[] = [];
      for (;;) {
        const end = /\r\n|\n|\r(?!$)/.exec(buffered);
        if (!end) return events;
        events.push(...line(buffered.slice(0, end.index)));
        buffered = buffered.slice(end.index + end[0].length);
      }
    },
    lastEventId: () => lastEventId,
    retryMs: () => retryMs,
    comments: () => comments,
  };
}

export interface ReceivedEvent {
  id: string;
  event: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests read data of every shape.
  data: any;
}

export interface EventClient {
  status: number;
  headers: Headers;
  /** All events so far, including the final one of the server. */
  events: ReceivedEvent[];
  stream: ParsedStream;
  /** Names of all events so far. */
  names(): string[];
  /** Resolves when the server ends the stream or the connection breaks. */
  ended: Promise<void>;
  close(): void;
}

/** A client of server-sent events that does not reconnect. */
export async function openEventClient(
  url: string,
  headers: Record<string, string> = {},
): Promise<EventClient> {
  const stopping = new AbortController();
  const response = await fetch(url, { headers, signal: stopping.signal });
  const stream = parseEventStream();
  const events: ReceivedEvent[] = [];
  const readAll = async () => {
    const decoder = new TextDecoder();
    for await (const bytes of response.body!) {
      for (const { data, ...rest } of stream.push(decoder.decode(bytes, { stream: true }))) {
        events.push({ ...rest, data: JSON.parse(data) });
      }
    }
  };
  return {
    status: response.status,
    headers: response.headers,
    events,
    stream,
    names: () => events.map(({ event }) => event),
    ended: response.status === 200 ? readAll().catch(() => {}) : Promise.resolve(),
    close: () => stopping.abort(),
  };
}
