import { spawn } from 'node:child_process';
import { readCommandWords } from '../settings/key-settings.ts';
import { parseKeys } from './key-file.ts';

const SETTING = 'REDPEN_MASTER_KEY_COMMAND';
const MAX_BYTES = 65_536;
const WITHIN_MS = 30_000;
/** The pipes of a command that has ended are read for at most this time. */
const CLOSE_WITHIN_MS = 1_000;
/** Tail of stderr that an error repeats. */
const SAID_CHARS = 500;

/** Looks like a key, which a script may print along with its commands. */
const LIKE_A_KEY = /[\w+/-]{43}=?/g;

/**
 * Runs the command that prints the master keys, a line each, and returns them. Throws if it cannot run, fails, takes too
 * long or prints something else; the error has the end of its stderr, and never what it printed.
 */
export async function runKeyCommand(text: string, withinMs = WITHIN_MS): Promise<Buffer[]> {
  const [program = '', ...args] = readCommandWords(text) ?? [];
  const { printed, said, outcome } = await run(program, args, withinMs);
  const tail = said.trim().slice(-SAID_CHARS).replace(LIKE_A_KEY, '***');
  if (outcome !== undefined)
    throw new Error(`${SETTING}: ${program} ${outcome}.${tail === '' ? '' : ` It said: ${tail}`}`);
  return parseKeys(printed, `${SETTING} (${program})`);
}

interface Ran {
  printed: string;
  said: string;
  /** Predicate of a sentence about a failure. */
  outcome: string | undefined;
}

function run(program: string, args: string[], withinMs: number): Promise<Ran> {
  return new Promise((resolve) => {
    // A group of its own, so that the children of a script end with it.
    const child = spawn(program, args, {
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: process.platform !== 'win32',
      windowsHide: true,
    });
    let [printed, said] = ['', ''];
    let closing: NodeJS.Timeout | undefined;
    const end = (outcome: string | undefined) => {
      clearTimeout(timer);
      clearTimeout(closing);
      resolve({ printed, said, outcome });
    };
    const kill = (outcome: string) => {
      end(outcome);
      try {
        if (process.platform === 'win32' || child.pid === undefined) child.kill('SIGKILL');
        else process.kill(-child.pid, 'SIGKILL');
      } catch {
        // It has ended in the meantime.
      }
      letGo();
    };
    // A process that has left the group may hold the pipes open.
    const letGo = () => {
      child.stdout.destroy();
      child.stderr.destroy();
    };
    const finish = (code: number | null, signal: NodeJS.Signals | null) =>
      end(
        code === 0 ? undefined : signal === null ? `ended with the exit code ${code}` : `ended by ${signal}`,
      );
    const timer = setTimeout(() => kill(`has not ended within ${withinMs / 1_000} s`), withinMs);
    child.stdout.setEncoding('utf8').on('data', (part: string) => {
      printed += part;
      if (printed.length > MAX_BYTES) kill('prints more than keys');
    });
    child.stderr.setEncoding('utf8').on('data', (part: string) => {
      said = (said + part).slice(-MAX_BYTES);
    });
    child.on('error', (error: NodeJS.ErrnoException) =>
      end(`cannot be run (${error.code ?? error.message})`),
    );
    child.on('close', finish);
    // A helper that it has started, such as a shared connection of ssh, may hold the pipes open for hours.
    child.on('exit', (code, signal) => {
      const late = () => {
        finish(code, signal);
        letGo();
      };
      // An immediate runs after what is in the pipes has been read, however late the timer is.
      closing = setTimeout(() => setImmediate(late), CLOSE_WITHIN_MS).unref();
    });
  });
}
