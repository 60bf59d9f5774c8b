import { RedpenError } from '../../../../packages/client/src/errors.ts';
import type { Credentials } from './plan-mcp.ts';

/** Where the service is at the moment, and who calls it. */
export interface ServicePlace {
  url: string;
  credentials: Credentials;
}

export interface ServiceFinder {
  /** Finds the service, and starts it if that is the way. Throws a RedpenError that says what is wrong. */
  find(): Promise<ServicePlace>;
  /** Reports that the service does not answer at a place. */
  forget(place: ServicePlace): void;
  /** Ends what was started. */
  close(): Promise<void>;
}

/**
 * A `fetch` that reaches the service where it is. The origin of the addresses that it gets has no meaning. A request
 * that no service has taken is sent again if the service is now elsewhere: the last one may have ended since.
 */
export function fetchFrom(finder: ServiceFinder): typeof fetch {
  return async (input, init = {}) => {
    const { pathname, search } = new URL(String(input));
    const find = () => unlessAborted(finder.find(), init.signal);
    const send = ({ url, credentials }: ServicePlace) =>
      fetch(url.replace(/\/+$/, '') + pathname + search, {
        ...init,
        headers: { ...Object.fromEntries(new Headers(init.headers)), ...credentials },
      });
    let place = await find();
    try {
      return await send(place).catch(async (error: unknown) => {
        if (init.signal?.aborted || codeOf(error) !== 'ECONNREFUSED') throw error;
        finder.forget(place);
        const next = await find();
        if (next === place) throw error;
        place = next;
        return await send(place);
      });
    } catch (error) {
      if (init.signal?.aborted || error instanceof RedpenError) throw error;
      finder.forget(place);
      throw new RedpenError(
        'UNAVAILABLE',
        `The service at ${place.url} does not answer (${reasonOf(error)}).`,
        {
          cause: error,
        },
      );
    }
  };
}

const codeOf = (error: unknown): string | undefined =>
  (error as { cause?: { code?: string } } | undefined)?.cause?.code;

/** The reason why `fetch` failed, which its own message leaves out. */
function reasonOf(error: unknown): string {
  const { cause, message } = error as Error & { cause?: { code?: string; message?: string } };
  return cause?.code ?? cause?.message ?? message;
}

async function unlessAborted<T>(work: Promise<T>, signal: AbortSignal | null | undefined): Promise<T> {
  if (!signal) return await work;
  signal.throwIfAborted();
  const aborted = Promise.withResolvers<never>();
  const abort = () => aborted.reject(signal.reason);
  signal.addEventListener('abort', abort, { once: true });
  try {
    return await Promise.race([work, aborted.promise]);
  } finally {
    signal.removeEventListener('abort', abort);
  }
}
