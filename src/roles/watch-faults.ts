import type { Logger } from 'pino';

/**
 * Logs uncaught errors. An exception ends the process, because its state is undefined afterwards; `stop` hands work back
 * to the next process. A rejection concerns only the work that is not awaited, and does not end the process.
 */
export function watchFaults(log: Logger, stop: (why: string, exitCode: number) => Promise<void>): void {
  let hasFailed = false;
  process.on('uncaughtException', (error) => {
    log.fatal({ err: error }, 'an uncaught exception ends the process');
    // A second exception, thrown by the stop itself, ends the process at once.
    if (hasFailed) return log.flush(() => process.exit(1));
    hasFailed = true;
    void stop('uncaught exception', 1);
  });
  process.on('unhandledRejection', (error) => log.error({ err: error }, 'a rejection is not handled'));
}
