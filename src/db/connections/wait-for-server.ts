import { setTimeout as sleep } from 'node:timers/promises';

/** A restart or a recovery after a crash usually takes seconds; supervisors start a process that ended later again. */
const WAIT_MS = 30_000;
const RETRY_MS = 500;

export interface Waiting {
  log: { warn(data: object, message: string): void; info(data: object, message: string): void };
  /** Ends the wait: it rejects with the reason of the signal. */
  signal?: AbortSignal | undefined;
  /** Longest wait for the server, 30 seconds by default. */
  waitMs?: number;
}

/** The server is stopping (57P01, 57P02), or is starting or recovering and refuses connections (57P03). */
const RESTARTING = ['57P01', '57P02', '57P03'];

/** No process listens, or it ends with its connections; EAI_AGAIN: DNS does not answer. */
const NOT_LISTENING = ['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'EHOSTUNREACH', 'EAI_AGAIN'];

/** True if a server that cannot be connected to may soon be: it restarts, recovers, or has not started yet. */
function mayPass(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  // A name with several addresses, of which none answers.
  if (error instanceof AggregateError && error.errors.length > 0) return error.errors.every(mayPass);
  const { code = '', syscall } = error as NodeJS.ErrnoException;
  if (RESTARTING.includes(code) || NOT_LISTENING.includes(code)) return true;
  // The file of a socket is missing while its server is down.
  if (code === 'ENOENT') return syscall === 'connect';
  return /^Connection terminated|timeout exceeded when trying to connect/.test(error.message);
}

/**
 * Connects, and tries again for a while if the server is only starting, recovering or restarting. Throws the error of the
 * last attempt, and a lasting fault, such as a wrong password, at once.
 */
export async function waitForServer<T>(
  connect: () => Promise<T>,
  { log, signal, waitMs = WAIT_MS }: Waiting,
): Promise<T> {
  let failedAt: number | undefined;
  while (true) {
    try {
      const connected = await connect();
      if (failedAt !== undefined) {
        log.info({ waitedMs: Date.now() - failedAt }, 'the database server accepts connections');
      }
      return connected;
    } catch (error) {
      if (!mayPass(error)) throw error;
      if (failedAt === undefined) {
        const { message, code } = error as NodeJS.ErrnoException;
        log.warn(
          { reason: message || code, upToSeconds: waitMs / 1_000 },
          'waiting for the database server of DATABASE_URL to accept connections',
        );
      }
      failedAt ??= Date.now();
      const remainingMs = failedAt + waitMs - Date.now();
      if (remainingMs <= 0) throw error;
      await sleep(Math.min(RETRY_MS, remainingMs), undefined, { signal }).catch(() =>
        signal?.throwIfAborted(),
      );
    }
  }
}
