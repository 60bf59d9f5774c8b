import type { Logger } from 'pino';
import type { Config } from '../../config.ts';
import type { Database } from '../../db/connections/connect.ts';
import type { Db } from '../../db/tables.ts';
import type { Keyring } from '../../lib/crypto.ts';

/** Text of a command: `output` for programs and people, `notice` for people only. */
export interface CommandText {
  output: string;
  notice?: string | undefined;
}

/** Outcome of a command. Output goes to stdout if it succeeded, otherwise to stderr. A notice goes to stderr. */
export interface Outcome extends CommandText {
  exitCode: number;
  /** True if the output goes to stdout although the exit code is not 0. */
  isAnswer?: boolean;
}

/** Inputs of a command: the settings of the service, its log, and its progress output. */
export interface Setup {
  config: Config;
  log: Logger;
  onProgress(line: string): void;
}

/** Dependencies of a command. */
export interface CommandDeps {
  db: Db;
  config: Config;
  /** Opens the keys that seal secrets and checks that they fit the data. */
  openKeys(): Promise<Keyring>;
  onProgress(line: string): void;
}

/** Chooses work with the data of the service; see `Work`. */
export type WithData = (
  run: (deps: CommandDeps) => Promise<string | CommandText | Outcome>,
  options?: { beginsAnew?: boolean },
) => void;

/** Work of a command: with the data of the service, with the database alone, or with the settings alone. */
export type Work =
  | {
      kind: 'data';
      /** True to create data folder and tables if no service has run before. */
      beginsAnew: boolean;
      run(deps: CommandDeps): Promise<string | CommandText | Outcome>;
    }
  | { kind: 'database'; run(database: Database): Promise<Outcome> }
  | { kind: 'setup'; run(setup: Setup): Promise<Outcome> }
  | { kind: 'look'; run(readSetup: () => Setup): Promise<Outcome> };
