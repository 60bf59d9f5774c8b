import { isRedpenError, type Redpen } from '@redpen/client';

/** Longer than a language model takes. */
const LONGEST_MS = 180_000;

/** Asks once, without the retries of the client, so that the page can say at once that the service is away. */
export async function askOnce<T>(
  redpen: Redpen,
  path: string,
  data: object,
  signal?: AbortSignal,
): Promise<T> {
  const response = await redpen.connection.request(path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ data }),
    signal: AbortSignal.any([AbortSignal.timeout(LONGEST_MS), ...(signal ? [signal] : [])]),
  });
  return (await response.json()).result.data;
}

/** Reads JSON that is no answer in an envelope, such as a report. */
export async function readJson<T>(redpen: Redpen, path: string, signal?: AbortSignal): Promise<T> {
  const response = await redpen.connection.request(path, { ...(signal && { signal }) });
  return (await response.json()) as T;
}

/** True for a failure that ends by itself: the service is being restarted, or has too much to do. */
export function isAway(error: unknown): boolean {
  if (!isRedpenError(error)) return true;
  const { httpStatus = 0, status } = error;
  return status === 'UNAVAILABLE' || status === 'ABORTED' || httpStatus === 429 || httpStatus === 0;
}

/** Waits, or ends at once if the signal does; it never throws. */
export const pause = (ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) return resolve();
    const timer = setTimeout(done, ms);
    signal.addEventListener('abort', done, { once: true });
    function done(): void {
      clearTimeout(timer);
      signal.removeEventListener('abort', done);
      resolve();
    }
  });
