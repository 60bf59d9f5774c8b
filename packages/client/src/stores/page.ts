import type { Connection } from '../connection.ts';
import { persevere } from './away.ts';

/** Reads a list, or the findings of a run, page by page. */
export async function* pagesOf<T>(
  { send }: Connection,
  path: string,
  data: object,
  signal: AbortSignal,
): AsyncGenerator<{ items: T[]; isLast: boolean }, void> {
  for (let pageToken: string | undefined, isLast = false; !isLast; ) {
    const { result } = await persevere(() => send(path, { ...data, pageToken }, { signal }), signal);
    pageToken = result.nextPageToken ?? result.data.nextPageToken;
    isLast = pageToken === undefined;
    yield { items: (result.data.findings ?? result.data) as T[], isLast };
  }
}
