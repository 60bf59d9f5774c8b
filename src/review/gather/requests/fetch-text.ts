import type { FetchResult, SafeFetch } from '../../../outside/outside.ts';

/** Fetches a URL and decodes its text by its charset. Throws `FetchFailure` where the exchange fails. */
export type FetchText = (
  url: string,
) => Promise<Omit<FetchResult, 'body' | 'truncated' | 'redirects'> & { body: string }>;

export const createFetchText =
  (fetch: SafeFetch, signal: AbortSignal): FetchText =>
  async (url) => {
    const answer = await fetch(url, { signal });
    return { url: answer.url, status: answer.status, headers: answer.headers, body: decodeText(answer) };
  };

/** Decodes a body by its byte order mark, else by the charset of its content type, else as UTF-8. */
export function decodeText({ headers, body }: Pick<FetchResult, 'headers' | 'body'>): string {
  const declared = /charset\s*=\s*["']?([^\s"';]+)/i.exec(headers['content-type'] ?? '')?.[1];
  return decoderFor(markOf(body) ?? declared).decode(body);
}

const markOf = (body: Uint8Array): string | undefined => {
  if (body[0] === 0xef && body[1] === 0xbb && body[2] === 0xbf) return 'utf-8';
  if (body[0] === 0xff && body[1] === 0xfe) return 'utf-16le';
  return body[0] === 0xfe && body[1] === 0xff ? 'utf-16be' : undefined;
};

function decoderFor(charset: string | undefined): TextDecoder {
  try {
    return new TextDecoder(charset);
  } catch {
    // A charset that nobody knows is mostly a slip for UTF-8.
    return new TextDecoder();
  }
}
