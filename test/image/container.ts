import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { logReader } from '../run/log-watch.ts';
import { until } from '../run/until.ts';
import { type ImageConfig, PATH } from './build-root.ts';

export interface Exit {
  code: number | null;
  output: string;
}

export interface Container {
  /** Everything that the main process printed. */
  output(): string;
  /** Runs a command beside the main process, as `docker exec` does. */
  exec(command: string[], options?: { env?: Record<string, string>; input?: string }): Promise<Exit>;
  /** Stops the main process, and returns its exit code. */
  stop(): Promise<number | null>;
}

export const USER = '1000';

/** A process of the image: no capabilities, and no way to get any. */
const asUser = (env: Record<string, string>) => [
  'setpriv',
  `--reuid=${USER}`,
  `--regid=${USER}`,
  '--clear-groups',
  '--no-new-privs',
  '--bounding-set=-all',
  '--inh-caps=-all',
  'env',
  '--ignore-environment',
  ...Object.entries({ PATH, HOME: '/home/node', ...env }).map(([name, value]) => `${name}=${value}`),
];

/**
 * What `docker run --read-only --tmpfs /tmp --volume DATA:/data` does, with the means of util-linux: namespaces of mounts
 * and processes, a root that cannot be written to, and no way back to the root of the machine.
 */
const ENTER = `set -e
root=$1 data=$2 workdir=$3
mount --make-rprivate /
mount --bind "$root" "$root"
mount --bind "$data" "$root/data"
mount -t tmpfs -o mode=1777,nosuid,nodev,noexec tmpfs "$root/tmp"
mount -t proc proc "$root/proc"
mount --rbind /dev "$root/dev"
mount -o remount,bind,ro "$root"
cd "$root"
mkdir tmp/machine
pivot_root . tmp/machine
umount --lazy /tmp/machine
rmdir /tmp/machine
cd "$workdir"
exec "\${@:4}"`;

/** Starts the image with its command, in the network of this process. Needs root. */
export function startContainer(
  root: string,
  data: string,
  config: ImageConfig & { command: string[] },
): Container {
  const env = { ...config.env, HOST: '127.0.0.1' };
  const child = spawn(
    'unshare',
    [
      '--mount',
      '--pid',
      '--fork',
      '--kill-child',
      'bash',
      '-c',
      ENTER,
      'bash',
      root,
      data,
      config.workdir,
    ].concat(asUser(env), config.command),
    { stdio: ['ignore', 'pipe', 'pipe'], env: { PATH } },
  );
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    const readLog = logReader('the container');
    stream.on('data', (chunk) => {
      output += chunk;
      readLog(chunk);
    });
  }
  const ended = new Promise<number | null>((resolve) => child.once('exit', resolve));
  return {
    output: () => output,
    exec: async (command, options = {}) => {
      await until(() => firstProcess(child) !== undefined, 'the container to start');
      const args = ['--target', firstProcess(child)!, '--mount', '--pid', `--wdns=${config.workdir}`];
      return collect('nsenter', [...args, ...asUser({ ...env, ...options.env }), ...command], options.input);
    },
    stop: async () => {
      const pid = firstProcess(child);
      if (pid !== undefined) process.kill(Number(pid), 'SIGTERM');
      return ended;
    },
  };
}

/** The id that the first process of the container has outside of it. */
function firstProcess({ pid, exitCode }: ChildProcess): string | undefined {
  if (exitCode !== null) return undefined;
  return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ')[0] || undefined;
}

const collect = (program: string, args: string[], input = ''): Promise<Exit> =>
  new Promise((resolve) => {
    const child = execFile(
      program,
      args,
      { env: { PATH }, maxBuffer: 50_000_000 },
      (_error, stdout, stderr) => resolve({ code: child.exitCode, output: stdout + stderr }),
    );
    child.stdin?.end(input);
  });
