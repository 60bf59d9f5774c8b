import { errorOf, isRedpenError, isRepeatable, parse, RedpenError } from './errors.ts';
import { newId } from './ids.ts';
import { notify } from './notify.ts';
import type { User } from './operations.ts';
import type { OutboxStorage } from './stores/outbox-storage.ts';
import { cacheUserToken, type UserTokenCache } from './user-token.ts';
import { sleep } from './waiting.ts';

/** Something in a request that the service ignored, such as an unknown field. */
export interface Warning {
  path: (string | number)[];
  code: string;
  message: string;
}

export interface ClientOptions {
  /** The address of the service, such as `https://redpen.example.com`. */
  baseUrl: string;
  /** The id of an API key. For servers only, like all credentials except `getUserToken`. */
  apiKey?: string | undefined;
  /** The auth token of the API key. */
  authToken?: string | undefined;
  /** For operations of a workspace. */
  workspaceId?: string | undefined;
  workspaceAuthToken?: string | undefined;
  /** Returns a token of the user. It is called again before the token expires. */
  getUserToken?: (() => string | Promise<string>) | undefined;
  /**
   * The API key and the person of requests whose credential is a cookie that no script can read. Live stores need to know
   * them; `fetch` has to name the key in its requests.
   */
  session?: { apiKey: string; user: User } | undefined;
  /** The longest that a call may take, retries included; 60 seconds by default. */
  timeoutMs?: number | undefined;
  /** How often a request is sent at most; 4 by default. */
  tries?: number | undefined;
  /** Called for each warning in an answer. */
  onWarning?:
    | ((warning: Warning, request: { path: string; requestId: string | undefined }) => void)
    | undefined;
  /** Allows secret credentials where there is a `window`: for desktop applications and tests. */
  dangerouslyAllowBrowser?: boolean | undefined;
  /** Replaces the global `fetch`. */
  fetch?: typeof fetch | undefined;
  /** Where live stores keep writes that could not be sent; IndexedDB by default, where it exists. */
  outbox?: OutboxStorage | undefined;
}

export interface CallOptions {
  /** If true, failures are returned as `{ ok: false, error }`, and not thrown. */
  safe?: boolean | undefined;
  signal?: AbortSignal | undefined;
  timeoutMs?: number | undefined;
  /** Makes the request the same as an earlier one with this key. Each call has its own key by default. */
  idempotencyKey?: string | undefined;
}

/** A success as the service sends it. */
// biome-ignore lint/suspicious/noExplicitAny: each operation has another body; Operations types what callers get.
export type Body = any;

export interface Connection {
  /** Sends `{ data }` and returns the whole body of the answer. */
  send(path: string, data: unknown, options?: CallOptions): Promise<Body>;
  /** Sends one request with the credentials, without a retry. Throws unless it succeeds. */
  request(path: string, init: RequestInit): Promise<Response>;
  /** The address of the service, without a slash at its end. */
  base: string;
  /** The token of the user; undefined for other credentials. */
  tokens: UserTokenCache | undefined;
  options: ClientOptions;
}

const DEFAULT_TIMEOUT_MS = 60_000;
const TRIES = 4;

export function connect(options: ClientOptions): Connection {
  const { apiKey, authToken, workspaceId, workspaceAuthToken, getUserToken } = options;
  if ((apiKey || workspaceId) && !options.dangerouslyAllowBrowser && 'window' in globalThis) {
    throw new TypeError('Use getUserToken in browsers.');
  }
  if (!apiKey !== !authToken) throw new TypeError('apiKey and authToken go together.');
  const base = options.baseUrl.replace(/\/+$/, '');
  const tokens = getUserToken && cacheUserToken(getUserToken);
  const secrets: Record<string, string> = {
    ...(apiKey && { 'x-service-api-key': apiKey, 'x-service-auth-token': authToken! }),
    ...(workspaceId && {
      'x-service-workspace-id': workspaceId,
      'x-service-workspace-auth-token': workspaceAuthToken ?? '',
    }),
  };

  async function request(path: string, init: RequestInit): Promise<Response> {
    const token = tokens && (await tokens.get());
    const headers = { ...secrets, ...(token && { authorization: `Bearer ${token}` }), ...init.headers };
    const response = await (options.fetch ?? fetch)(base + path, { ...init, headers });
    if (response.ok) return response;
    if (response.status === 401 && token) tokens!.drop(token);
    throw errorOf(response, await response.text());
  }

  async function once(path: string, init: RequestInit): Promise<Body> {
    const response = await request(path, init);
    const requestId = response.headers.get('x-request-id') ?? undefined;
    const body = parse(await response.text()) as Body;
    if (typeof body !== 'object' || body === null) {
      const facts = { httpStatus: response.status, requestId };
      throw new RedpenError('INTERNAL', 'No JSON at baseUrl.', facts);
    }
    for (const warning of body.result?.warnings ?? [])
      notify(() => options.onWarning?.(warning, { path, requestId }));
    return body;
  }

  return {
    request,
    base,
    tokens,
    options,
    async send(
      path,
      data,
      { signal, timeoutMs = options.timeoutMs ?? DEFAULT_TIMEOUT_MS, idempotencyKey = newId() } = {},
    ) {
      const ends = Date.now() + timeoutMs;
      const timeout = AbortSignal.timeout(timeoutMs);
      const init = {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          // Operations that only read ignore it.
          'idempotency-key': idempotencyKey,
        },
        body: JSON.stringify({ data: data ?? {} }),
        signal: AbortSignal.any(signal ? [signal, timeout] : [timeout]),
      };
      let isRenewed = false;
      for (let attempt = 1; ; attempt++) {
        try {
          return await once(path, init);
        } catch (thrown) {
          signal?.throwIfAborted();
          const error: RedpenError = unanswered(thrown, timeout.aborted);
          const isRejected: boolean = error.httpStatus === 401 && !!tokens && !isRenewed;
          if (!isRejected && !isRepeatable(error)) throw error;
          if (attempt >= (options.tries ?? TRIES) && !isRejected) throw error;
          isRenewed ||= isRejected;
          const waitMs = isRejected ? 0 : (error.retryAfterMs ?? jitter(attempt));
          if (Date.now() + waitMs >= ends) throw error;
          await sleep(waitMs, signal);
        }
      }
    },
  };
}

/** From 0.3 seconds to at most 8. */
const jitter = (attempt: number): number => 300 + Math.random() * (Math.min(8_000, 300 * 3 ** attempt) - 300);

/** The error for a request without an answer; errors of the service stay as they are. */
export function unanswered(thrown: unknown, isTooLate = false): RedpenError {
  if (isRedpenError(thrown)) return thrown;
  return isTooLate
    ? new RedpenError('DEADLINE_EXCEEDED', 'Timed out.', { cause: thrown })
    : new RedpenError('UNAVAILABLE', `Unreachable: ${(thrown as Error).message}`, {
        cause: thrown,
      });
}

/** The value of a call: what lies in the envelope, or the payload of an operation without one. */
export function resultOf(body: Body): unknown {
  const result = body.result;
  if (result === undefined) return body;
  return result?.status === 'success' && 'message' in result ? result.data : result;
}
