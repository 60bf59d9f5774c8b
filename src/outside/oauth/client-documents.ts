import { z } from 'zod';
import { DAY_MS } from '../../lib/day.ts';
import { invalidArgument } from '../../lib/errors.ts';
import { createLruCache } from '../../lib/lru-cache.ts';
import { FetchFailure, type FetchResult, type SafeFetch } from '../net/outbound-fetch.ts';

/** A client of OAuth, as its document describes it. */
export interface ClientDocument {
  clientId: string;
  name: string;
  /** The page of the client, on the host of its document. */
  uri: string | undefined;
  redirectUris: string[];
}

/**
 * Reads the documents by which clients introduce themselves (draft-ietf-oauth-client-id-metadata-document-00).
 */
export interface ClientDocuments {
  /** The client whose document is at this address. Throws INVALID_ARGUMENT, in plain words, if there is none. */
  read(clientId: string): Promise<ClientDocument>;
}

const MAX_BYTES = 20_000;
const TIMEOUT_MS = 5_000;
const MAX_CACHED = 1_000;
const MINUTE_MS = 60_000;
const DEFAULT_MS = 5 * MINUTE_MS;
const MAX_NAME = 100;

const document = z.object({
  client_id: z.string(),
  client_name: z.string().optional(),
  client_uri: z.string().optional(),
  redirect_uris: z.array(z.string().max(2_048)).min(1).max(100),
  token_endpoint_auth_method: z.string().optional(),
  grant_types: z.array(z.string()).optional(),
  response_types: z.array(z.string()).optional(),
});

interface Options {
  fetch: SafeFetch;
  /** True for an address that the SSRF guard refuses at sight. */
  isRefused(url: string): boolean;
  now?: () => number;
  timeoutMs?: number;
}

/** Valid documents are kept as long as their answer allows, at least for a minute and at most for a day. */
export function createClientDocuments({
  fetch,
  isRefused,
  now = Date.now,
  timeoutMs = TIMEOUT_MS,
}: Options): ClientDocuments {
  const cache = createLruCache<{ client: ClientDocument; until: number }>(MAX_CACHED);
  return {
    async read(clientId) {
      const problem = problemOfClientId(clientId, isRefused);
      if (problem !== undefined) throw invalidArgument(`The client_id ${problem}.`);
      const cached = cache.get(clientId);
      if (cached && cached.until > now()) return cached.client;
      const answer = await fetch(clientId, {
        headers: { accept: 'application/json' },
        maxRedirects: 0,
        timeoutMs,
        maxBytes: MAX_BYTES,
        anonymous: true,
        wantBody: (status, headers) => problemOfAnswer(status, headers) === undefined,
      }).catch((error: unknown) => {
        if (!(error instanceof FetchFailure)) throw error;
        throw unreadable(error.message);
      });
      const client = readDocument(clientId, answer);
      cache.set(clientId, { client, until: now() + lifetimeOf(answer.headers) });
      return client;
    },
  };
}

const unreadable = (why: string) =>
  invalidArgument(`The document of the client at its client_id cannot be read: ${why}`);

/** The problem with an address as a client_id (section 3 of the draft), as the end of a sentence. */
function problemOfClientId(clientId: string, isRefused: (url: string) => boolean): string | undefined {
  const url = URL.parse(clientId);
  if (!url) return 'must be the address of a document that describes the client';
  const isAllowedHttp = url.protocol === 'http:' && isLoopbackHost(url.hostname) && !isRefused(clientId);
  if (url.protocol !== 'https:' && !isAllowedHttp) return 'must be an address with https';
  if (url.pathname === '/') return 'must have a path';
  if (clientId.includes('#')) return 'must not have a fragment';
  if (url.username !== '' || url.password !== '') return 'must not contain credentials';
  // Parsing removes dot segments and much else that may differ between two spellings of an address.
  if (url.href !== clientId) return 'must be spelled as browsers write addresses, without dot segments';
  return undefined;
}

/** True for the hosts of a program on the computer of its user (RFC 8252, section 7.3). */
export const isLoopbackHost = (hostname: string): boolean =>
  hostname === '127.0.0.1' || hostname === '[::1]' || hostname === 'localhost';

function problemOfAnswer(status: number, headers: Record<string, string>): string | undefined {
  if (status >= 300 && status < 400) return 'The address redirects, which is not allowed.';
  if (status !== 200) return `The address answers with HTTP ${status}.`;
  if (!/^application\/([\w.-]+\+)?json\s*(;|$)/i.test(headers['content-type'] ?? '')) {
    return 'The address does not answer with JSON.';
  }
  return undefined;
}

function readDocument(clientId: string, { status, headers, body, truncated }: FetchResult): ClientDocument {
  const problem = problemOfAnswer(status, headers);
  if (problem !== undefined) throw unreadable(problem);
  if (truncated) throw unreadable(`It is larger than ${MAX_BYTES} bytes.`);
  const parsed = document.safeParse(parseJson(body));
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    throw unreadable(
      issue && issue.path.length > 0
        ? `Its ${issue.path[0]?.toString()} is missing or wrong.`
        : 'It is no JSON object.',
    );
  }
  const { data } = parsed;
  if (data.client_id !== clientId) throw unreadable('Its client_id is another address.');
  if ((data.token_endpoint_auth_method ?? 'none') !== 'none') {
    throw unreadable(
      'Its token_endpoint_auth_method must be none, because this service has no secrets of clients.',
    );
  }
  if (data.grant_types && !data.grant_types.includes('authorization_code')) {
    throw unreadable('Its grant_types lack authorization_code.');
  }
  if (data.response_types && !data.response_types.includes('code')) {
    throw unreadable('Its response_types lack code.');
  }
  const { hostname, host } = new URL(clientId);
  const uri = data.client_uri === undefined ? null : URL.parse(data.client_uri);
  return {
    clientId,
    name: cleanName(data.client_name ?? '') || host,
    uri:
      uri?.protocol === 'https:' && uri.hostname === hostname && uri.href.length <= 2_048
        ? uri.href
        : undefined,
    redirectUris: data.redirect_uris,
  };
}

function parseJson(body: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body));
  } catch {
    return undefined;
  }
}

/** Without control and format characters, which could make a name look like another. */
const cleanName = (name: string): string =>
  Array.from(name.replace(/\p{C}/gu, ' ').replace(/\s+/g, ' ').trim()).slice(0, MAX_NAME).join('').trim();

/** Milliseconds for which an answer may be kept (RFC 9111, section 5.2.2). */
function lifetimeOf(headers: Record<string, string>): number {
  const directives = headers['cache-control'] ?? '';
  if (/\bno-(store|cache)\b/i.test(directives)) return MINUTE_MS;
  const seconds = /(?:^|[\s,])max-age="?(\d{1,10})/i.exec(directives)?.[1];
  return seconds === undefined ? DEFAULT_MS : Math.min(DAY_MS, Math.max(MINUTE_MS, Number(seconds) * 1_000));
}
