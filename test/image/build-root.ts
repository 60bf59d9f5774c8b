import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { buildInstructions, copyInstruction, type Instruction, instructions } from '../house/image.ts';

const repository = resolve(import.meta.dirname, '../..');

const show = (line: string) => process.stderr.write(`${line}\n`);
const run = (program: string, args: string[]) =>
  execFileSync(program, args, { stdio: ['ignore', 2, 2], env: { PATH: process.env.PATH } });

/**
 * A root file system like the one of the official image of Node that the Dockerfile begins with: the same Debian, with
 * Node, npm and the user `node`.
 */
export function createBase(base: string): void {
  const node = join(repository, 'node_modules', `node-linux-${process.arch}`, 'bin/node');
  run('mmdebstrap', ['--variant=minbase', '--include=ca-certificates', 'bookworm', base]);
  cpSync(node, join(base, 'usr/local/bin/node'));
  run('npm', ['install', '--global', '--prefix', join(base, 'usr/local'), 'npm@11']);
  run('chroot', [
    base,
    'sh',
    '-c',
    'groupadd --gid 1000 node && useradd --uid 1000 --gid node --create-home node',
  ]);
  // As in every image of Debian, apt keeps no packages.
  const clean =
    'DPkg::Post-Invoke { "rm -f /var/cache/apt/archives/*.deb /var/cache/apt/*.bin || true"; };\n';
  writeFileSync(join(base, 'etc/apt/apt.conf.d/docker-clean'), clean);
}

/** What the image says of the way in which a container of it runs. */
export interface ImageConfig {
  workdir: string;
  user: string;
  env: Record<string, string>;
}

/** Builds the image of the Dockerfile from the base into a folder, step after step, as root and with a network. */
export function buildRoot(base: string, root: string): ImageConfig {
  const build = `${root}-build-stage`;
  for (const folder of [build, root]) {
    rmSync(folder, { recursive: true, force: true });
    run('cp', ['--archive', base, folder]);
  }
  runStage(buildInstructions, build);
  const config = runStage(instructions, root, build);
  rmSync(build, { recursive: true });
  return config;
}

function runStage(stage: readonly Instruction[], root: string, otherStage?: string): ImageConfig {
  const config: ImageConfig = { workdir: '/', user: 'root', env: {} };
  const args: Record<string, string> = {};
  for (const { name, text } of stage) {
    show(`${name} ${text}`);
    if (name === 'WORKDIR') {
      config.workdir = resolve(config.workdir, text);
      mkdirSync(join(root, config.workdir), { recursive: true });
    } else if (name === 'COPY') copyInstruction(text, config.workdir, root, otherStage);
    else if (name === 'USER') config.user = text;
    else if (name === 'ENV') Object.assign(config.env, assignments(text));
    else if (name === 'ARG') Object.assign(args, assignments(text));
    else if (name === 'RUN') runInRoot(root, { ...config, env: { ...args, ...config.env } }, text);
  }
  return config;
}

const assignments = (text: string): Record<string, string> =>
  Object.fromEntries(
    [...text.matchAll(/([A-Z_a-z]+)=("[^"]*"|\S*)/g)].map(([, name = '', value = '']) => [
      name,
      value.replace(/^"(.*)"$/, '$1'),
    ]),
  );

/** Settings of this machine with which npm and apt reach their registries, as a build has them. */
const NETWORK_FILES = ['/etc/resolv.conf', '/etc/ssl/certs/ca-certificates.crt'];

function runInRoot(root: string, { workdir, env, user }: ImageConfig, command: string): void {
  const mounts = NETWORK_FILES.filter(existsSync).map(
    (file) => `touch "$root${file}"; mount --bind ${file} "$root${file}"`,
  );
  const script = [
    'set -e; root=$1; mount --make-rprivate /',
    ...mounts,
    'mount -t proc proc "$root/proc"; mount --rbind /dev "$root/dev"',
    `exec chroot --userspec="$2" "$root" env -i PATH=${PATH} "$\{@:4}" sh -c 'cd "$0" && eval "$1"' "$3" "$COMMAND"`,
  ].join('\n');
  const settings = Object.entries(env).map(([name, value]) => `${name}=${value}`);
  const args = ['--mount', 'bash', '-c', script, 'bash', root, user === 'root' ? '0:0' : user, workdir];
  execFileSync(
    'unshare',
    [...args, `HOME=/${user === 'root' ? 'root' : `home/${user}`}`, ...registry(), ...settings],
    {
      stdio: ['ignore', 2, 2],
      env: { PATH: process.env.PATH, COMMAND: command },
    },
  );
}

const registry = (): string[] =>
  existsSync(NETWORK_FILES[1]!) ? [`NODE_EXTRA_CA_CERTS=${NETWORK_FILES[1]}`] : [];

export const PATH = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';

/** The size of a folder in MB. */
export const megabytesOf = (folder: string): number =>
  Number(
    /^\d+/.exec(execFileSync('du', ['--summarize', '--block-size=1M', folder], { encoding: 'utf8' }))?.[0],
  );

export const versionOf = (root: string): string =>
  (JSON.parse(readFileSync(join(root, 'app/package.json'), 'utf8')) as { version: string }).version;
