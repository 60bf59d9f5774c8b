import { type CallPath, type Connection, createRawClient } from '../../../packages/client/src/raw.ts';

/** The service as the caller of a tool reaches it: with the caller's own credentials, rights and limits. */
export interface Service {
  call: CallPath;
  /** For files, such as reports, and for live events. */
  connection: Connection;
  /** The author of comments where the credentials are of no person; undefined where the service knows the person. */
  author: { userId: string; name: string } | undefined;
  assistant: string;
}

/** The header by which a request says that an AI assistant acts for its caller. */
export const ASSISTANT_HEADER = 'x-redpen-assistant';

/** The name of a client whose name is not known. */
export const UNNAMED_ASSISTANT = 'AI assistant';
const MAX_NAME = 100;

/** The name of an assistant as it is shown; clients choose it. */
export const assistantName = (name: string | undefined): string =>
  name
    ?.normalize('NFC')
    .replaceAll(/[\p{C}\s]+/gu, ' ')
    .trim()
    .slice(0, MAX_NAME)
    .toWellFormed()
    .trim() || UNNAMED_ASSISTANT;

interface Reaching {
  baseUrl: string;
  fetch: typeof fetch;
  /** Headers with the credentials. */
  credentials: Readonly<Record<string, string>>;
  /** True if the credentials are of a person. */
  isPerson: boolean;
  /** The name that the client gives itself, if it does. */
  assistant: string | undefined;
}

/** Time for one operation. The longest that one waits for is a part of a review. */
const TIMEOUT_MS = 60_000;

/** Reaches a service with credentials, in the name of an assistant. */
export function reachService({ baseUrl, fetch: send, credentials, isPerson, ...given }: Reaching): Service {
  const assistant = assistantName(given.assistant);
  const { call, connection } = createRawClient({
    baseUrl,
    timeoutMs: TIMEOUT_MS,
    tries: 2,
    fetch: (input, init) =>
      send(input, {
        ...init,
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
