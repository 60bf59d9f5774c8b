import { execFileSync } from 'node:child_process';
import { chmodSync, cpSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, relative, resolve } from 'node:path';

const repository = resolve(import.meta.dirname, '../..');
const textOf = (path: string): string => readFileSync(join(repository, path), 'utf8');

export interface Instruction {
  name: string;
  text: string;
}

const all: Instruction[] = textOf('Dockerfile')
  .split('\n')
  .filter((line) => !line.startsWith('#'))
  .join('\n')
  .replaceAll(/\\\n\s*/g, '')
  .split('\n')
  .flatMap((line) => {
    const [, name, text] = /^([A-Z]+) (.*)$/.exec(line) ?? [];
    return name === undefined || text === undefined ? [] : [{ name, text }];
  });

const lastStage = all.findLastIndex(({ name }) => name === 'FROM');

/** The instructions of the Dockerfile that make the image, with continued lines joined. */
export const instructions: Instruction[] = all.slice(lastStage);

/** Those that build the console, in a stage of their own. */
export const buildInstructions: Instruction[] = all.slice(0, lastStage);

export const listOf = (name: string): string[] =>
  JSON.parse(instructions.findLast((instruction) => instruction.name === name)?.text ?? '[]') as string[];

/** The regular expression for a pattern of .dockerignore, which also matches all paths below a match. */
const patternOf = (pattern: string): RegExp => {
  const source = pattern
    .split(/(\*\*\/|\*\*|\*)/)
    .map((part) => {
      if (part === '**/') return '(?:.*/)?';
      if (part === '**') return '.*';
      return part === '*' ? '[^/]*' : part.replaceAll(/[.+?^${}()|[\]\\]/g, '\\$&');
    })
    .join('');
  return new RegExp(`^${source}(?:/.*)?$`);
};

/** True if a path of the repository is part of the build context; the last pattern that matches decides. */
export function isSent(path: string): boolean {
  const last = textOf('.dockerignore')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .findLast((line) => patternOf(line.replace(/^!/, '')).test(path));
  return last === undefined || last.startsWith('!');
}

const filesUnder = (path: string): string[] =>
  readdirSync(join(repository, path), { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && !entry.parentPath.includes('/node_modules'))
    .map((entry) => relative(repository, join(entry.parentPath, entry.name)));

/**
 * Creates the files of the image in a folder, as `docker build` would, and returns its working directory. Packages are
 * links to those of the repository, without development dependencies and without Node.
 */
export function createImage(root: string): string {
  const build = join(root, 'build-stage');
  const stage = copyFiles(buildInstructions, build);
  linkPackages(join(stage, 'node_modules'));
  for (const { name, text } of buildInstructions) {
    if (name !== 'RUN' || !text.startsWith('node ')) continue;
    execFileSync(process.execPath, text.split(' ').slice(1), { cwd: stage, env: {}, stdio: 'inherit' });
  }
  const app = copyFiles(instructions, join(root, 'image'), build);
  linkPackages(join(app, 'node_modules'), onlyForBuild());
  return app;
}

/** Copies what the instructions of a stage copy, and returns its working directory. */
function copyFiles(stage: readonly Instruction[], root: string, otherStage?: string): string {
  let workdir = '/';
  for (const { name, text } of stage) {
    if (name === 'WORKDIR') workdir = resolve(workdir, text);
    if (name === 'COPY') copyInstruction(text, workdir, root, otherStage);
  }
  return join(root, workdir);
}

/** Copies what one COPY instruction copies, from the repository or from the root of another stage. */
export function copyInstruction(text: string, workdir: string, root: string, otherStage?: string): void {
  const words = text.split(' ');
  const mode = words.find((word) => word.startsWith('--chmod='))?.slice('--chmod='.length);
  const paths = words.filter((word) => !word.startsWith('--'));
  const target = paths.pop()!;
  const to = join(root, resolve(workdir, target));
  if (words.some((word) => word.startsWith('--from='))) {
    for (const path of paths) cpSync(join(otherStage!, path), to, { recursive: true });
    return;
  }
  for (const path of paths) {
    const isFolder = !textExists(path);
    const files = isFolder ? filesUnder(path) : [path];
    const sent = files.filter(isSent);
    if (sent.length === 0)
      throw new Error(`COPY ${text}: ${path} is left out of the build by .dockerignore.`);
    for (const file of sent) {
      const place = isFolder
        ? join(to, relative(path, file))
        : target.endsWith('/')
          ? join(to, basename(path))
          : to;
      mkdirSync(dirname(place), { recursive: true });
      cpSync(join(repository, file), place);
      if (mode !== undefined) chmodSync(place, Number.parseInt(mode, 8));
    }
  }
}

const textExists = (path: string): boolean => {
  try {
    textOf(path);
    return true;
  } catch {
    return false;
  }
};

interface Lockfile {
  packages: Record<string, { dev?: boolean; link?: boolean }>;
}

/** Packages that the console and the elements depend on, and the service does not. */
function onlyForBuild(): Set<string> {
  const dependenciesOf = (path: string) =>
    Object.keys((JSON.parse(textOf(path)) as { dependencies: Record<string, string> }).dependencies);
  const own = dependenciesOf('package.json');
  const all = ['console', 'elements'].flatMap((name) => dependenciesOf(`packages/${name}/package.json`));
  return new Set(all.filter((name) => !own.includes(name)));
}

function linkPackages(modules: string, left: ReadonlySet<string> = new Set()): void {
  const installed = JSON.parse(textOf('node_modules/.package-lock.json')) as Lockfile;
  // The packages of the repository itself are not in the image, and npm makes no links to absent ones.
  const kept = Object.entries(installed.packages).filter(
    ([path, { dev, link }]) =>
      !dev && !link && path.startsWith('node_modules/') && !left.has(path.slice('node_modules/'.length)),
  );
  for (const [path] of kept) {
    const name = path.slice('node_modules/'.length);
    // Nested packages are part of the linked folder.
    if (name.includes('node_modules/') || /^node-linux-/.test(name)) continue;
    mkdirSync(dirname(join(modules, name)), { recursive: true });
    symlinkSync(resolve(repository, path), join(modules, name));
  }
  writeFileSync(
    join(modules, '.package-lock.json'),
    JSON.stringify({ ...installed, packages: Object.fromEntries(kept) }),
  );
}
