import type { Logger } from 'pino';

/**
 * Logs what nothing caught. An exception ends the process, since what goes on after it may be in any state; work that
 * is handed back by `stop` goes on in the next process. A rejection concerns the one piece of work that nothing waits
 * for, and must not take the service away from all callers.
 */
export function watchFaults(log: Logger, stop: (why: string, exitCode: number) => Promise<void>): void {
  let hasFailed = false;
  process.on('uncaughtException', (error) => {
    log.fatal({ err: error }, 'an uncaught exception ends the process');
    // A fault of the stop itself must not keep the process.
    if (hasFailed) return log.flush(() => process.exit(1));
    hasFailed = true;
    void stop('uncaught exception', 1);
  });
  process.on('unhandledRejection', (error) => log.error({ err: error }, 'a rejection is not handled'));
}
