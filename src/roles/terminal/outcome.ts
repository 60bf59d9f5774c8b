import type { Logger } from 'pino';
import type { Config } from '../../config.ts';
import type { Db } from '../../db/tables.ts';
import type { Keyring } from '../../lib/crypto.ts';

/** Text of a command: `output` for programs and people, `notice` for people alone. */
export interface Said {
  output: string;
  notice?: string | undefined;
}

/** Outcome of a command. Output goes to stdout where it succeeded and to stderr otherwise; a notice goes to stderr. */
export interface Outcome extends Said {
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

/** Dependencies of a command. */
export interface CommandDeps {
  db: Db;
  config: Config;
  /** Opens the keys that seal secrets, and checks that they are those of the data. */
  openKeys(): Promise<Keyring>;
}

/** Chooses work with the data of the service; see `Work`. */
export type WithData = (
  run: (deps: CommandDeps) => Promise<string | Said>,
  options?: { beginsAnew?: boolean },
) => void;
