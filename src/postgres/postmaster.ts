import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { constants } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Writable } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import type { Binaries } from './binaries.ts';
import { type ChildUser, childEnvironment } from './child-user.ts';
import { isAlive, type ProcessIdentity } from './process-identity.ts';

/** A run of the server process. */
export interface Postmaster {
  /** Resolves when the process has ended, with a description such as `was killed`. */
  ended: Promise<string>;
  isRunning(): boolean;
  /** The last few lines of its output. */
  recentOutput(): string;
  /** The last line without its level; during a start, it shows the progress. */
  latestLine(): string;
  /** Makes the server reread its settings. */
  reload(): void;
  /** Fast shutdown: disconnects clients and writes a checkpoint. */
  stop(): Promise<void>;
}

export type WriteLogLine = (level: 'debug' | 'warn' | 'error', message: string) => void;

/** A fast shutdown writes a checkpoint, which takes seconds on a slow disk. */
const STOP_WITHIN_SECONDS = 30;
const KEPT_LINES = 12;

/**
 * Runs the server, and stops it when descriptor 3 is closed. Only the service holds the other end of that pipe, so the
 * server stops however the service ends. The shell is the server's parent, so the process id that it signals cannot be
 * reused. The signal is repeated, since a server that has just started ignores it.
 */
const WATCHER = `
trap '' TERM HUP INT
"$@" 3<&- & server=$!
{ read -r _ <&3
  n=0; while [ "$n" -lt ${STOP_WITHIN_SECONDS} ] && kill -INT "$server" 2>/dev/null; do sleep 1; n=$((n + 1)); done
  kill -QUIT "$server" 2>/dev/null
} & watch=$!
exec 3<&-
echo "$server"
wait "$server"; code=$?
kill -KILL "$watch" 2>/dev/null
exit "$code"
`;

/** Address of the server, passed as arguments, which override all settings files. */
export interface Listening {
  port: number;
  overTcp: boolean;
}

/** Starts the server on a folder that no other server uses. `onPid` is called as soon as its process exists. */
export function startPostmaster(
  folder: string,
  { port, overTcp }: Listening,
  binaries: Binaries,
  user: ChildUser,
  log: WriteLogLine,
  onPid: (pid: number) => void,
): Postmaster {
  const listening = {
    listen_addresses: overTcp ? '127.0.0.1' : '',
    port,
    // Relative to the server's working directory, since the path of a socket has a maximum length.
    unix_socket_directories: overTcp ? '' : '.',
  };
  const settings = Object.entries(listening).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const server = [...user.prefix, binaries.postgres, '-D', folder, ...settings];
  const command =
    process.platform === 'win32'
      ? [process.execPath, join(import.meta.dirname, 'watch-server.ts'), binaries.pgCtl, folder, ...server]
      : ['/bin/sh', '-c', WATCHER, 'redpen-postgres', ...server];
  const child = spawn(command[0]!, command.slice(1), {
    ...user.spawnOptions,
    cwd: '/',
    env: childEnvironment(binaries.libraryPath),
    // A process group of its own: Ctrl-C in a terminal must reach only the service, which stops the server later.
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
    windowsHide: true,
  });
  const lifeline = child.stdio[3] as Writable;
  // The pipe breaks when the watcher is killed.
  lifeline.on('error', () => {});
  let pid: number | undefined;
  createInterface({ input: child.stdout! }).on('line', (line) => {
    if (!/^\d+$/.test(line)) return;
    pid = Number(line);
    onPid(pid);
  });
  const words: string[] = [];
  createInterface({ input: child.stderr! }).on('line', (line) => {
    logLine(line, log);
    // Refused connections during a start would push out the lines that show its progress.
    if (EXPECTED.includes(line.slice(0, 5))) return;
    words.push(line.replace(/^[0-9A-Z]{5} /, ''));
    if (words.length > KEPT_LINES) words.shift();
  });
  let running = true;
  const ended = endOf(child).then((how) => {
    running = false;
    lifeline.destroy();
    return how;
  });
  return {
    ended,
    isRunning: () => running,
    recentOutput: () => words.slice(-4).join(' ').trim(),
    latestLine: () => (words.at(-1) ?? '').replace(/^[A-Z0-9]+: {2}/, ''),
    reload() {
      if (running && pid !== undefined) signal(pid, 'SIGHUP');
    },
    async stop() {
      lifeline.end();
      await ended;
    },
  };
}

const endOf = (child: ChildProcess): Promise<string> =>
  new Promise((resolve) => {
    child.once('error', (error) => resolve(error.message));
    child.once('exit', (code, by) => resolve(by ? `ended by ${by}` : endOfCode(code)));
  });

const KILLED = 128 + constants.signals.SIGKILL;

/** The watcher's shell reports a signal as an exit code. */
const endOfCode = (code: number | null): string =>
  code === KILLED ? 'was killed' : `exited with code ${code}`;

/** Lines of level LOG that concern the operator; the level also contains every ordinary start. */
const NOTABLE = /recover|crash|terminated by|could not|invalid|corrupt|No space/i;

/** SQLSTATEs of connections that are refused or ended during a start or a stop. */
const EXPECTED = ['57P01', '57P03'];

function logLine(line: string, log: WriteLogLine): void {
  const [, state = '', level, text] = /^([0-9A-Z]{5}) ([A-Z0-9]+): {2}(.*)$/.exec(line) ?? [];
  if (level === undefined || text === undefined) log('debug', line.trim());
  else if (level === 'PANIC') log('error', text);
  else if (['FATAL', 'WARNING'].includes(level) && !EXPECTED.includes(state)) log('warn', text);
  // The normal end of the write-ahead log in crash recovery.
  else if (/^invalid record length at \S+: expected at least \d+, got 0$/.test(text)) log('debug', text);
  else log(level === 'LOG' && NOTABLE.test(text) ? 'warn' : 'debug', text);
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

const INTERRUPT_AFTER_MS = 2_000;
const QUIT_AFTER_MS = 30_000;
const KILL_AFTER_MS = 40_000;
const POLL_EVERY_MS = 50;

/** Process id in `postmaster.pid` of a folder; undefined if there is no such file. */
export function readServerPid(folder: string): number | undefined {
  try {
    const pid = Number(readFileSync(join(folder, 'postmaster.pid'), 'utf8').split('\n')[0]);
    return Number.isInteger(pid) && pid > 0 ? pid : undefined;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

/**
 * Waits for the end of a server that an earlier service left behind. Its watcher stops it; if the watcher has died too,
 * it is signaled from here. `onWait` is called once if such a server is alive.
 */
export async function stopLeftoverServer(server: ProcessIdentity, onWait: () => void): Promise<void> {
  if (!isAlive(server)) return;
  onWait();
  const began = performance.now();
  const steps: [number, NodeJS.Signals][] = [
    [INTERRUPT_AFTER_MS, 'SIGINT'],
    [QUIT_AFTER_MS, 'SIGQUIT'],
    [KILL_AFTER_MS, 'SIGKILL'],
  ];
  while (isAlive(server)) {
    const next = steps[0];
    if (next && performance.now() - began > next[0]) {
      steps.shift();
      signal(server.pid, next[1]);
    }
    await pause(POLL_EVERY_MS);
  }
}
