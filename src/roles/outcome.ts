import type { Logger } from 'pino';
import type { Config } from '../config.ts';

/** What a command came to. */
export interface Outcome {
  output: string;
  exitCode: number;
  /** It is what was asked for, also where the exit code is not 0, and goes to stdout. */
  isAnswer?: boolean;
}

/** What a command is given: the settings of the service, and where it says what it is doing. */
export interface Setup {
  config: Config;
  log: Logger;
  onProgress(line: string): void;
}
