import { type CallPath, type Connection, createRawClient } from '../../../packages/client/src/raw.ts';
import { ASSISTANT_HEADER, assistantName } from '../../http/request/assistant-name.ts';

/** The service as the caller of a tool reaches it: with the caller's own credentials, rights and limits. */
export interface Service {
  call: CallPath;
  /** For files, such as reports, and for live events. */
  connection: Connection;
  /** The author of comments where the credentials are of no person; undefined where the service knows the person. */
  author: { userId: string; name: string } | undefined;
  assistant: string;
}

interface Reaching {
  baseUrl: string;
  fetch: typeof fetch;
  /** Headers with the credentials. */
  credentials: Readonly<Record<string, string>>;
  /** True if the credentials are of a person. */
  isPerson: boolean;
  /** The name that the client gives itself, if it does. */
  assistant: string | undefined;
  /** Ends all requests, such as those of a call that the client has cancelled. */
  signal: AbortSignal;
}

/** Time for one operation. The longest that one waits for is a part of a review. */
const TIMEOUT_MS = 60_000;

/** Reaches a service with credentials, in the name of an assistant. */
export function reachService({
  baseUrl,
  fetch: send,
  credentials,
  isPerson,
  signal,
  ...given
}: Reaching): Service {
  const assistant = assistantName(given.assistant);
  const { call, connection } = createRawClient({
    baseUrl,
    timeoutMs: TIMEOUT_MS,
    // An assistant learns how long to wait, and calls again by itself.
    tries: 1,
    fetch: (input, init) =>
      send(input, {
        ...init,
        signal: init?.signal ? AbortSignal.any([init.signal, signal]) : signal,
        headers: { ...init?.headers, ...credentials, [ASSISTANT_HEADER]: encodeURIComponent(assistant) },
      }),
  });
  return {
    call,
    connection,
    author: isPerson ? undefined : { userId: `assistant:${assistant}`, name: assistant },
    assistant,
  };
}
