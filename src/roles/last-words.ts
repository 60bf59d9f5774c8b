import type { Logger } from 'pino';

/**
 * Logs what nothing caught, and ends the process: what goes on after it may be in any state. Work that is handed
 * back by `stop` goes on in the next process.
 */
export function endAfterFaults(log: Logger, stop: (why: string, exitCode: number) => Promise<void>): void {
  let hasFailed = false;
  const end = (why: string) => (error: unknown) => {
    log.fatal({ err: error }, `an ${why} ends the process`);
    // A fault of the stop itself must not keep the process.
    if (hasFailed) process.exit(1);
    hasFailed = true;
    void stop(why, 1);
  };
  process.on('uncaughtException', end('uncaught exception'));
  process.on('unhandledRejection', end('unhandled rejection'));
}
