import { isDeeper } from '../../lib/nesting.ts';
import { UnfitValue } from '../../lib/text/fill-url.ts';
import { FetchFailure, type FetchOptions } from '../../outside/net/outbound-fetch.ts';
import { selectPath } from './dot-path.ts';
import { type FetchInput, fetchStrategy } from './gather-strategy.ts';
import { decodeBody } from './requests/fetch-text.ts';
import { cacheKey, type RestResponse, restCache } from './requests/rest-api-cache.ts';
import { type RestApiEndpoint, restApiOptions } from './requests/rest-api-options.ts';
import { type RestRequest, restRequest } from './requests/rest-api-request.ts';

const MAX_CONCURRENT = 5;
/** Below the timeout of a strategy, so that a slow endpoint does not cost the answers of the others. */
const TOTAL_MS = 50_000;
const MAX_DEPTH = 200;

export interface RestEndpointData {
  id?: string;
  name?: string;
  description: string;
  /** The requested URL, without secrets. */
  url: string;
  status?: number;
  /** The selected part of the JSON, or the text of an answer that is not JSON. */
  response?: unknown;
  truncated?: true;
  error?: string;
}

interface RestData {
  endpoints: RestEndpointData[];
}

/** Answers of the agent's own endpoints. A failed endpoint has an error in its place. */
export const restApi = fetchStrategy({
  name: 'rest-api',
  options: restApiOptions,

  async gather(input): Promise<RestData> {
    const { endpoints, maxResponseBytes } = input.options;
    const deadline = performance.now() + TOTAL_MS;
    const waiting = [...endpoints.entries()];
    const data: RestEndpointData[] = [];
    const work = async () => {
      for (let next = waiting.shift(); next; next = waiting.shift()) {
        const [index, endpoint] = next;
        data[index] = await gatherEndpoint(endpoint, { input, deadline, maxBytes: maxResponseBytes });
      }
    };
    await Promise.all(Array.from({ length: MAX_CONCURRENT }, work));
    return { endpoints: data };
  },

  toPrompt({ endpoints }) {
    return endpoints.map((endpoint) => ({ text: promptText(endpoint) }));
  },
});

interface EndpointContext {
  input: Pick<FetchInput<unknown>, 'fetch' | 'values' | 'cacheScope' | 'log' | 'signal'>;
  deadline: number;
  maxBytes: number;
}

async function gatherEndpoint(
  endpoint: RestApiEndpoint,
  context: EndpointContext,
): Promise<RestEndpointData> {
  const { id, name, description } = endpoint;
  const about = { ...(id !== undefined && { id }), ...(name !== undefined && { name }), description };
  const { input } = context;
  let shownUrl = endpoint.url.replace(/\/\/[^/?#]*@/, '//').replace(/[?#].*$/s, '');
  const startedAt = performance.now();
  try {
    const request = restRequest(endpoint, input.values);
    shownUrl = request.shownUrl;
    const { response, cached } = await fetchOrReuse(request, endpoint, context);
    const ms = Math.round(performance.now() - startedAt);
    const { status, body, truncated } = response;
    input.log({
      level: status < 400 ? 'info' : 'warn',
      kind: 'fetch',
      message: `${request.method} ${shownUrl} answered ${status} (${cached ? 'cached' : `${ms} ms`}, ${body.byteLength} bytes${truncated ? ', cut off' : ''}).`,
      data: { method: request.method, url: shownUrl, status, ms, bytes: body.byteLength, cached },
    });
    if (status >= 400) throw new UnfitValue(`It answered with HTTP ${status}.`);
    return {
      ...about,
      url: shownUrl,
      status,
      response: selectedPart(response, endpoint.responsePath),
      ...(truncated && { truncated }),
    };
  } catch (error) {
    input.signal.throwIfAborted();
    if (!(error instanceof UnfitValue) && !(error instanceof FetchFailure)) throw error;
    const message = `${name ?? id ?? shownUrl} could not be fetched: ${error.message}`;
    input.log({ level: 'warn', kind: 'fetch', message, data: { url: shownUrl, method: endpoint.method } });
    return { ...about, url: shownUrl, error: error.message };
  }
}

async function fetchOrReuse(
  request: RestRequest,
  { cacheTtlSeconds, timeoutMs }: RestApiEndpoint,
  { input, deadline, maxBytes }: EndpointContext,
): Promise<{ response: RestResponse; cached: boolean }> {
  const scope = input.cacheScope;
  const key = cacheTtlSeconds > 0 && scope ? cacheKey(scope, request, maxBytes) : undefined;
  const known = key && restCache.get(key, cacheTtlSeconds * 1000);
  if (known) return { response: known, cached: true };
  const left = deadline - performance.now();
  if (left <= 0) throw new UnfitValue('There was no time left for it.');
  const { method, url, headers, body } = request;
  // An endpoint has credentials of its own, and its answers are cached for further runs.
  const anonymous = true;
  const options: FetchOptions = {
    method,
    headers,
    maxBytes,
    anonymous,
    timeoutMs: Math.min(timeoutMs, left),
  };
  const {
    status,
    headers: answered,
    body: bytes,
    truncated,
  } = await input.fetch(url, {
    ...options,
    ...(body !== undefined && { body }),
  });
  const response = { status, contentType: answered['content-type'] ?? '', body: bytes, truncated };
  if (key && status < 400 && !truncated) restCache.put(key, response);
  return { response, cached: false };
}

function selectedPart({ contentType, body, truncated }: RestResponse, path: string | undefined): unknown {
  const text = decodeBody({ headers: { 'content-type': contentType }, body });
  const json = truncated ? undefined : parsed(text);
  if (path === undefined || path.trim() === '') return json === undefined ? readable(text) : json.value;
  if (truncated) throw new UnfitValue(`Its answer was cut off, so that ${path} cannot be looked up in it.`);
  if (json === undefined) throw new UnfitValue(`Its answer is not JSON, so ${path} matches nothing.`);
  const selected = selectPath(json.value, path);
  if (selected === undefined) throw new UnfitValue(`Its answer has nothing at ${path}.`);
  return selected;
}

function parsed(text: string): { value: unknown } | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isDeeper(value, MAX_DEPTH) ? undefined : { value };
  } catch {
    return undefined;
  }
}

function readable(text: string): string {
  if (text.includes('\0')) throw new UnfitValue('Its answer is no text.');
  return text;
}

function promptText({
  name,
  description,
  url,
  status,
  response,
  truncated,
  error,
}: RestEndpointData): string {
  const lines = [
    ...(name === undefined ? [] : [`Endpoint: ${name}`]),
    `Description: ${description}`,
    `URL: ${url}`,
    ...(status === undefined ? [] : [`Status: ${status}`]),
    error === undefined
      ? `Response${truncated ? ' (cut off, the beginning only)' : ''}: ${JSON.stringify(response)}`
      : `It could not be fetched: ${error}`,
  ];
  return lines.join('\n');
}
