import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { spawn } from '@lydell/node-pty';

const TIMEOUT_MS = 900_000;
const PROMPT = 'reader$ ';
// Escape sequences of shell integration (OSC 133) mark each prompt and each failed command. All commands of a bracketed
// paste share one prompt.
const RC = `
PS1='${PROMPT}'
PROMPT_COMMAND='printf "\\033]133;D\\007"'
trap 'printf "\\033]133;E;%s\\007" "$?"' ERR
HISTFILE=
`;

const TYPED_MARK = /printf '\\033\]133;Z;\d+;%s\\007' "\$\(jobs -s \| wc -l\)"/g;

/** The text of an output. What a background process writes may follow a prompt, or the command of `done`, on its line. */
const linesOf = (raw: string): string =>
  stripVTControlCharacters(raw)
    .replaceAll('\r\n', '\n')
    .replaceAll('\r', '')
    .replaceAll(PROMPT, '\n')
    .replaceAll(TYPED_MARK, '\n');

export interface Terminal {
  /** Pastes text as a terminal does, and presses Enter. */
  paste(text: string): void;
  /** Resolves once all pasted commands have ended, with the number of failed commands and of stopped jobs. */
  done(): Promise<{ failed: number; stopped: number }>;
  /** Output since the last paste. */
  shown(): string;
  /** Resolves once a condition holds; checked after every output. `what` describes it for the error. */
  until(holds: () => boolean, what: () => string): Promise<void>;
  /** Presses Ctrl-C and waits for the prompt. */
  interrupt(): Promise<void>;
  close(): void;
}

/** Starts an interactive bash in a terminal. With `bracketed`, it uses bracketed paste, the default of bash. */
export async function openTerminal(options: {
  cwd: string;
  env: Record<string, string>;
  bracketed: boolean;
}): Promise<Terminal> {
  const folder = mkdtempSync(join(tmpdir(), 'redpen-terminal-'));
  const rc = join(folder, 'rc');
  writeFileSync(rc, `${RC}bind 'set enable-bracketed-paste ${options.bracketed ? 'on' : 'off'}'\n`);
  const pty = spawn('bash', ['--noprofile', '--rcfile', rc, '-i'], {
    name: 'xterm-256color',
    cols: 120,
    rows: 40,
    cwd: options.cwd,
    env: options.env,
  });
  let raw = '';
  let pastedAt = 0;
  let marks = 0;
  const watchers = new Set<() => void>();
  pty.onData((data) => {
    raw += data;
    for (const watch of watchers) watch();
  });
  const recent = () => raw.slice(pastedAt);
  const shown = () => linesOf(recent());

  const until = (holds: () => boolean, what: () => string) =>
    new Promise<void>((resolve, reject) => {
      const settle = (end: () => void) => {
        watchers.delete(watch);
        clearTimeout(timer);
        end();
      };
      const watch = () => holds() && settle(resolve);
      const timer = setTimeout(
        () => settle(() => reject(new Error(`${what()} did not appear. The terminal shows:\n${shown()}`))),
        TIMEOUT_MS,
      );
      watchers.add(watch);
      watch();
    });
  const prompts = () => raw.split('\x1b]133;D\x07').length;

  const terminal: Terminal = {
    paste(text) {
      pastedAt = raw.length;
      const typed = text.replaceAll('\n', '\r');
      pty.write(options.bracketed ? `\x1b[200~${typed}\x1b[201~\r` : `${typed}\r`);
    },
    async done() {
      const mark = `${++marks};`;
      // A background process that reads from the terminal would also consume this, and fail the test.
      pty.write(`printf '\\033]133;Z;${mark}%s\\007' "$(jobs -s | wc -l)"\r`);
      let end: RegExpExecArray | null = null;
      const pattern = new RegExp(`\\x1b\\]133;Z;${mark}\\s*(\\d+)\\x07`);
      await until(
        () => {
          end = pattern.exec(recent());
          return end !== null;
        },
        () => 'The end of the commands',
      );
      const found = end as unknown as RegExpExecArray;
      // The shell does not see a bracketed paste that arrives before its prompt.
      await until(
        () => recent().indexOf(PROMPT, found.index) !== -1,
        () => 'The prompt',
      );
      const failed = recent().slice(0, found.index).split('\x1b]133;E;').length - 1;
      return { failed, stopped: Number(found[1]) };
    },
    shown,
    until,
    async interrupt() {
      const before = prompts();
      pty.write('\x03');
      await until(
        () => prompts() > before,
        () => 'The prompt after Ctrl-C',
      );
    },
    close() {
      pty.kill('SIGHUP');
      rmSync(folder, { recursive: true, force: true });
    },
  };
  await until(
    () => raw.includes(PROMPT),
    () => 'The first prompt',
  );
  return terminal;
}
