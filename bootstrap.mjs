// The first program of `npm start`, `npm test`, `npm run demo`, `npm run example` and `npm run redpen`. It installs missing packages of the
// lockfile, then runs the command with the project's own Node. An old Node may run this file, so it uses only the syntax
// of Node 16, and imports no package.
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  constants as access,
  accessSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
} from 'node:fs';
import { constants, cpus, tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const startedIn = process.cwd();
const root = fileURLToPath(new URL('.', import.meta.url));
const modules = join(root, 'node_modules');
const onWindows = process.platform === 'win32';
const LOCK_TOUCH_MS = 2_000;
const LOCK_STALE_MS = 20_000;
const NEEDED_NODE = 24;
const runningNode = Number(process.versions.node.split('.')[0]);
/** The package that contains Node for this platform. */
const ownNode = `node-${process.platform}-${process.arch}`;

const readPackages = (path) => {
  try {
    return JSON.parse(readFileSync(path, 'utf8')).packages || {};
  } catch {
    return undefined;
  }
};

/** Reads `ldd`, because `process.report` of an old Node resolves the names of all network connections. */
const usesMusl = () => {
  try {
    return readFileSync('/usr/bin/ldd', 'latin1').includes('musl');
  } catch {
    return false;
  }
};

const allows = (list, value) => {
  const names = [].concat(list || []);
  const wanted = names.filter((name) => name[0] !== '!');
  return !names.includes(`!${value}`) && (wanted.length === 0 || wanted.includes(value));
};

let musl;
/** True if npm installs an optional package on this platform; a package without `os` or `cpu` belongs to another. */
const isForThisPlatform = ({ os, cpu, libc }) => {
  if (!os || !allows(os, process.platform) || !allows(cpu, process.arch)) return false;
  if (!libc) return true;
  if (musl === undefined) musl = usesMusl();
  return allows(libc, musl ? 'musl' : 'glibc');
};

/** The place in the lockfile at which Node finds a package for another. */
const resolveLocked = (locked, from, name) => {
  for (let folder = from; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf('/node_modules/')))) {
    const path = `${folder && `${folder}/`}node_modules/${name}`;
    if (locked[path]) return path;
    if (!folder) return undefined;
  }
};

/** The packages that the project itself depends on, without those that only build the console. */
const withoutBuild = (locked) => {
  const needed = {};
  const visit = (from) => {
    const {
      dependencies,
      optionalDependencies,
      peerDependencies,
      peerDependenciesMeta: meta = {},
    } = locked[from];
    for (const name of Object.keys({ ...dependencies, ...optionalDependencies, ...peerDependencies })) {
      const { optional } = meta[name] || {};
      const path = optional ? undefined : resolveLocked(locked, from, name);
      if (path === undefined || needed[path]) continue;
      needed[path] = locked[path];
      visit(path);
    }
  };
  if (locked['']) visit('');
  return needed;
};

/** Describes the first difference between `node_modules` and the lockfile; undefined without one. */
const findMismatch = (withDev) => {
  const all = readPackages(join(root, 'package-lock.json'));
  if (!all) throw new Error('package-lock.json is missing or cannot be read.');
  // The container image, for example, contains the built console, and no packages that build it.
  const isBuilt = existsSync(join(root, 'packages', 'dist', 'console', 'index.html'));
  const locked = isBuilt && !withDev ? withoutBuild(all) : all;
  const installed = readPackages(join(modules, '.package-lock.json'));
  if (!installed) return 'nothing is installed yet';
  for (const path of Object.keys(locked)) {
    const want = locked[path];
    if (path === '' || (want.dev && !withDev)) continue;
    // The service imports none of the packages of this repository, and the container image has no links to them.
    if (!withDev && (want.link || !path.startsWith('node_modules/'))) continue;
    const have = installed[path];
    const name = path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);
    if (!have) {
      const optional = want.optional || want.devOptional;
      if (!optional || isForThisPlatform(want)) return `${name} is missing`;
    } else if (have.version !== want.version || have.integrity !== want.integrity) {
      return `${name} is ${have.version} and not ${want.version}`;
    } else if (!existsSync(join(root, path, 'package.json'))) {
      // The container image omits the package, because its own Node is new enough.
      if (name !== ownNode || runningNode < NEEDED_NODE) return `${name} is missing`;
    }
  }
  return undefined;
};

const hasDevPackages = () => {
  const installed = readPackages(join(modules, '.package-lock.json')) || {};
  return Object.keys(installed).some((path) => installed[path].dev);
};

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'];

/** Runs a program, forwards signals to it, and returns its exit code as a shell does. */
const run = (file, args, options) =>
  new Promise((resolve, reject) => {
    const child = spawn(file, args, { cwd: root, stdio: 'inherit', ...options });
    const forward = (signal) => child.kill(signal);
    for (const signal of signals) process.on(signal, forward);
    const settle = () => {
      for (const signal of signals) process.off(signal, forward);
    };
    child.on('error', (error) => {
      settle();
      reject(error);
    });
    child.on('exit', (code, signal) => {
      settle();
      resolve(signal ? 128 + constants.signals[signal] : code);
    });
  });

/** What npm prints goes to standard error: standard output belongs to the command, and its input, too. */
const npmCi = (args) => {
  const stdio = ['ignore', 2, 'inherit'];
  // If npm started this program, its own Node and script are used: npm may replace the `node` on the PATH now.
  const { npm_node_execpath: node, npm_execpath: script } = process.env;
  if (node && script && /\.[cm]?js$/.test(script)) return run(node, [script, 'ci', ...args], { stdio });
  const path = (process.env.PATH || '').split(delimiter).filter((part) => !part.includes('node_modules'));
  return run('npm', ['ci', ...args], {
    stdio,
    shell: onWindows,
    env: { ...process.env, PATH: path.join(delimiter) },
  });
};

/** Holds a lock directory while `work` runs, so that two starts in one checkout do not install at once. */
const withLock = async (work) => {
  const lock = join(
    tmpdir(),
    `redpen-install-${createHash('sha256').update(root).digest('hex').slice(0, 16)}`,
  );
  for (let told = false; ; told = true) {
    try {
      mkdirSync(lock);
      break;
    } catch (error) {
      if (error.code !== 'EEXIST') throw error;
    }
    try {
      if (Date.now() - statSync(lock).mtimeMs > LOCK_STALE_MS) {
        // A rename succeeds for only one of several waiters; the others find the lock released or taken again.
        renameSync(lock, `${lock}-${process.pid}`);
        rmSync(`${lock}-${process.pid}`, { recursive: true, force: true });
        continue;
      }
    } catch (error) {
      if (error.code !== 'ENOENT') throw error;
      continue;
    }
    if (!told) console.error('redpen: waiting for another install in this folder to end.');
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  const touch = setInterval(() => utimesSync(lock, new Date(), new Date()), LOCK_TOUCH_MS);
  try {
    return await work();
  } finally {
    clearInterval(touch);
    rmSync(lock, { recursive: true, force: true });
  }
};

/** True if the lockfile contains a Node for this machine. */
const bringsNode = () =>
  `node_modules/${ownNode}` in readPackages(join(root, 'package-lock.json')) && !usesMusl();

/** A clause for users of an old Node; empty if their Node is new enough or the lockfile contains none. */
const nodeNote = () =>
  runningNode < NEEDED_NODE && bringsNode()
    ? `; this includes Node ${NEEDED_NODE}, so the Node ${runningNode} of this machine is sufficient`
    : '';

const isWritable = (path) => {
  try {
    accessSync(path, access.W_OK);
    return true;
  } catch {
    return false;
  }
};

const install = (withDev) =>
  withLock(async () => {
    const mismatch = findMismatch(withDev);
    if (!mismatch) return 0;
    if (!isWritable(existsSync(modules) ? modules : root)) {
      throw new Error(
        `${mismatch}, and this user may not write to ${modules}. Run npm ci as the owner of the folder.`,
      );
    }
    // npm ci deletes everything first, so development packages that are installed are requested again.
    const scope = withDev || hasDevPackages() ? '--include=dev' : '--omit=dev';
    console.error(`redpen: installing missing packages with npm ci ${scope} (${mismatch})${nodeNote()}.`);
    console.error('redpen: this usually takes a minute or two; npm shows no progress.');
    const startedAt = Date.now();
    // npm warns about every package that needs a newer Node than npm's own, although none runs on that Node.
    const code = await npmCi([scope, '--no-audit', '--no-fund', '--loglevel=error']);
    const seconds = Math.max(1, Math.round((Date.now() - startedAt) / 1_000));
    console.error(
      code
        ? `redpen: npm ci failed with exit code ${code}, see above. Nothing was started.`
        : `redpen: installed in ${seconds} s.`,
    );
    return code;
  });

/** The Node of the lockfile, or the running one if it is new enough. */
const findNode = () => {
  const own = join(modules, ownNode, 'bin', 'node');
  if (existsSync(own) && !usesMusl()) return own;
  if (runningNode >= NEEDED_NODE) return process.execPath;
  throw new Error(
    `Node ${NEEDED_NODE} or newer is needed, this is ${process.versions.node}, and no Node for ` +
      `${process.platform}-${process.arch} is bundled. Install one from https://nodejs.org/.`,
  );
};

const binOf = (name, bin) =>
  join(modules, name, JSON.parse(readFileSync(join(modules, name, 'package.json'), 'utf8')).bin[bin]);

/**
 * Flags of V8 for the service: a young generation as small as that of earlier versions of Node. The default of a machine
 * with much memory keeps 100 MB more, and a start takes longer in it.
 */
const V8_FLAGS = ['--max-semi-space-size=16'];

/**
 * The folder in which a command runs: that of the project, to which its settings are relative. A review reads and writes
 * files of its user, whose folder npm has left.
 */
const folderOf = (command, [name]) => {
  if (command !== 'redpen' || name !== 'review') return root;
  return process.env.npm_lifecycle_event === 'redpen' ? process.env.INIT_CWD || root : startedIn;
};

/** The program of a command, as its script and arguments. */
const programOf = (command, args) => {
  if (command === 'start') return [...V8_FLAGS, join('src', 'main.ts'), ...args];
  if (command === 'redpen') return [join(root, 'src', 'cli.ts'), ...args];
  if (command === 'demo') return [join('examples', 'demo.ts'), ...args];
  if (command === 'example') return [join('examples', 'app', 'start.ts'), ...args];
  return [binOf('vitest', 'vitest'), 'run', ...args];
};

/**
 * Checks the types and the style of the source. The largest program runs beside the others: more threads for one program
 * would each make the types that they share.
 */
const check = async (node, env) => {
  const threads = String(Math.max(1, Math.min(4, cpus().length >> 1)));
  const tsc = (...args) => [binOf('typescript', 'tsc'), '--noEmit', '--checkers', threads, ...args];
  const inOrder = async (programs) => {
    for (const program of programs) {
      const code = await run(node, program, { env });
      if (code) return code;
    }
    return 0;
  };
  const codes = await Promise.all([
    inOrder([tsc()]),
    inOrder([
      tsc('--project', join('packages', 'client')),
      // The program of the console contains the elements.
      tsc('--project', join('packages', 'console')),
      [binOf('@biomejs/biome', 'biome'), 'check', '--error-on-warnings', '.'],
    ]),
  ]);
  return codes.find((code) => code) ?? 0;
};

/** Deletes installed files that this machine does not need. A start does not depend on it. */
const prune = async () => {
  try {
    const { prunePackages } = await import('./tools/prune-packages.mjs');
    prunePackages(modules);
  } catch {
    // The folder may contain only this file.
  }
};

/** Replaces this process by the program if Node supports it, so that signals reach it directly; otherwise spawns it. */
const handOver = (node, args, env, cwd) => {
  if (typeof process.execve !== 'function' || onWindows) return run(node, args, { env, cwd });
  process.removeAllListeners('warning');
  process.chdir(cwd);
  return process.execve(node, [node, ...args], env);
};

const main = async ([command, ...args]) => {
  if (!['start', 'test', 'test:all', 'check', 'demo', 'redpen', 'example'].includes(command)) {
    console.error('Usage: node bootstrap.mjs start|test|test:all|check|demo|redpen|example [arguments]');
    return 2;
  }
  // The example needs a bundler and a compiler, which the service does not.
  const withDev = ['test', 'test:all', 'check', 'example'].includes(command);
  const failed = findMismatch(withDev) ? await install(withDev) : 0;
  if (failed) return failed;
  await prune();
  const node = findNode();
  const env = {
    // Compilation takes a large part of a start.
    NODE_COMPILE_CACHE: join(modules, '.cache', 'node'),
    // Programs of packages that would report how they are used to their makers respect it.
    DO_NOT_TRACK: '1',
    // The C library otherwise keeps free memory in up to eight arenas for each processor: some 20 MB of a small service.
    MALLOC_ARENA_MAX: '2',
    ...process.env,
    ...(command === 'test:all' && { SUITE_ROUNDS: 'all' }),
    PATH: [join(modules, '.bin'), process.env.PATH].join(delimiter),
  };
  const isChecked = ['test', 'test:all', 'check'].includes(command);
  const code = isChecked ? await check(node, env) : 0;
  if (code || command === 'check') return code;
  return handOver(node, programOf(command, args), env, folderOf(command, args));
};

main(process.argv.slice(2)).then(
  (code) => {
    process.exitCode = code;
  },
  (error) => {
    console.error(`redpen: ${error.message}`);
    process.exitCode = 1;
  },
);
