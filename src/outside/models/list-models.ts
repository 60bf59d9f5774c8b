import { type Agent, request } from 'undici';
import { connectionFailed } from './classify-failure.ts';
import { addressOf, type ProviderAccess } from './language-model.ts';
import type { ModelProvider } from './models.ts';

/** Outcome of asking a provider for its models. */
export type ModelList =
  | { kind: 'listed'; names: string[]; date: string | undefined }
  /** The server answers, but with no list. */
  | { kind: 'unlisted'; status: number; date: string | undefined }
  | { kind: 'key-refused'; status: number; date: string | undefined }
  | { kind: 'failed'; reason: string; date: string | undefined };

interface Options {
  dispatcher: Agent;
  signal: AbortSignal;
}

const MAX_LIST_PAGES = 10;
const MAX_LIST_BYTES = 4_000_000;

/** Asks a provider, or a compatible server, for its models. Never throws; sends no prompt. */
export async function listModels(
  provider: ModelProvider,
  access: ProviderAccess,
  options: Options,
): Promise<ModelList> {
  const address = addressOf(provider, access.baseUrl);
  const names: string[] = [];
  let next: string | undefined;
  let date: string | undefined;
  try {
    for (let page = 0; page < MAX_LIST_PAGES; page++) {
      const answer = await request(`${address}/models${queryOf(provider, next)}`, {
        dispatcher: options.dispatcher,
        signal: options.signal,
        headers: { ...credentials(provider, access.apiKey), 'user-agent': 'Redpen/0.1' },
      });
      date = singleHeader(answer.headers.date);
      const status = answer.statusCode;
      const text = await bounded(answer.body);
      if (isKeyRefusal(status, text)) return { kind: 'key-refused', status, date };
      if (status >= 500) return { kind: 'failed', reason: `It answers with HTTP ${status}`, date };
      const read = status < 300 ? readPage(provider, text) : undefined;
      if (read === undefined) return { kind: 'unlisted', status, date };
      names.push(...read.names);
      next = read.next;
      if (next === undefined) break;
    }
    return { kind: 'listed', names, date };
  } catch (error) {
    const reason = options.signal.aborted
      ? `The provider at ${address} did not answer in time`
      : connectionFailed(address, error);
    return { kind: 'failed', reason, date };
  }
}

const singleHeader = (value: string | string[] | undefined): string | undefined =>
  Array.isArray(value) ? value[0] : value;

/** True for a refused key; Google answers a wrong key with 400. */
const isKeyRefusal = (status: number, text: string): boolean =>
  status === 401 || status === 403 || (status === 400 && /API[ _]key/i.test(text));

function credentials(provider: ModelProvider, apiKey: string | undefined): Record<string, string> {
  if (provider === 'claude')
    return { 'anthropic-version': '2023-06-01', ...(apiKey !== undefined && { 'x-api-key': apiKey }) };
  if (apiKey === undefined) return {};
  return provider === 'gemini' ? { 'x-goog-api-key': apiKey } : { authorization: `Bearer ${apiKey}` };
}

function queryOf(provider: ModelProvider, next: string | undefined): string {
  const after = next === undefined ? '' : encodeURIComponent(next);
  if (provider === 'claude') return `?limit=1000${next === undefined ? '' : `&after_id=${after}`}`;
  if (provider === 'gemini') return `?pageSize=1000${next === undefined ? '' : `&pageToken=${after}`}`;
  return '';
}

interface Page {
  data?: { id?: unknown }[];
  models?: { name?: unknown }[];
  has_more?: boolean;
  last_id?: string;
  nextPageToken?: string;
}

function readPage(provider: ModelProvider, text: string): { names: string[]; next?: string } | undefined {
  let page: Page | null;
  try {
    page = JSON.parse(text) as Page | null;
  } catch {
    return undefined;
  }
  const named =
    provider === 'gemini'
      ? page?.models?.map(({ name }) => String(name).replace(/^models\//, ''))
      : Array.isArray(page?.data) && page.data.map(({ id }) => String(id));
  if (!named) return undefined;
  // Names are shown to people, and the server is not trusted.
  const names = named.filter((name) => /^[\x21-\x7e]{1,200}$/.test(name));
  const next = provider === 'claude' && page?.has_more ? page.last_id : page?.nextPageToken;
  return next ? { names, next } : { names };
}

async function bounded(body: AsyncIterable<Buffer>): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of body) {
    bytes += chunk.length;
    if (bytes > MAX_LIST_BYTES) throw new Error('The list of models is too long.');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}
