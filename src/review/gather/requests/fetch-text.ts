import type { FetchResult, SafeFetch } from '../../../outside/net/outbound-fetch.ts';
import { decodePlainText } from '../../links/page/charset.ts';

/** Fetches a URL and decodes its text by its charset. Throws `FetchFailure` where the exchange fails. */
export type FetchText = (
  url: string,
) => Promise<Omit<FetchResult, 'body' | 'truncated' | 'redirects'> & { body: string }>;

export const createFetchText =
  (fetch: SafeFetch, signal: AbortSignal): FetchText =>
  async (url) => {
    const answer = await fetch(url, { signal });
    return { url: answer.url, status: answer.status, headers: answer.headers, body: decodeBody(answer) };
  };

/** Decodes a body by its byte order mark, the charset of its content type, or as UTF-8. */
export const decodeBody = ({ headers, body }: Pick<FetchResult, 'headers' | 'body'>): string =>
  decodePlainText(body, headers['content-type'] ?? '');
