import type { Logger } from 'pino';
import type { Config } from '../config.ts';

/** What a command came to. */
export interface Outcome {
  output: string;
  exitCode: number;
}

/** What a command is given: the settings of the service, and where it says what it is doing. */
export interface Setup {
  config: Config;
  log: Logger;
  onProgress(line: string): void;
}
