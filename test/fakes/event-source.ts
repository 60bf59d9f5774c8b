export interface ServerSentEvent {
  /** As `lastEventId` of a browser's event. */
  id: string;
  event: string;
  data: string;
}

export interface ParsedStream {
  /** Takes text as it comes, cut anywhere; answers the events that it completes. */
  push(text: string): ServerSentEvent[];
  lastEventId(): string;
  retryMs(): number | undefined;
  /** Lines that clients pass over. */
  comments(): number;
}

/** Reads an event stream as browsers do (WHATWG HTML 9.2.6). */
export function parseEventStream(): ParsedStream {
  let left = '';
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
      left += isFirst ? text.replace(/^\ufeff/, '') : text;
      isFirst &&= text === '';
      const events: ServerSentEvent[] = [];
      for (;;) {
        const end = /\r\n|\n|\r(?!$)/.exec(left);
        if (!end) return events;
        events.push(...line(left.slice(0, end.index)));
        left = left.slice(end.index + end[0].length);
      }
    },
    lastEventId: () => lastEventId,
    retryMs: () => retryMs,
    comments: () => comments,
  };
}

export interface Told {
  id: string;
  event: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into data of every shape.
  data: any;
}

export interface EventClient {
  status: number;
  headers: Headers;
  /** All that came so far, the last words of the server among it. */
  events: Told[];
  stream: ParsedStream;
  /** Names of what came so far. */
  names(): string[];
  /** Resolves when the server has ended the stream, or the connection broke. */
  ended: Promise<void>;
  close(): void;
}

/** A client of server-sent events that does not connect again by itself. */
export async function openEventClient(
  url: string,
  headers: Record<string, string> = {},
): Promise<EventClient> {
  const stopping = new AbortController();
  const response = await fetch(url, { headers, signal: stopping.signal });
  const stream = parseEventStream();
  const events: Told[] = [];
  const take = async () => {
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
    ended: response.status === 200 ? take().catch(() => {}) : Promise.resolve(),
    close: () => stopping.abort(),
  };
}
