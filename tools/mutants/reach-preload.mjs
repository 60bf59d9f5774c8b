// Runs in every process and thread of the suite in which `mutants.ts reach` has put markers: it keeps which test file
// reached which of them, and passes itself on, since many tests start programs with an environment of their own.
import childProcess, { ChildProcess } from 'node:child_process';
import { appendFileSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';
import threads from 'node:worker_threads';

// Kept now, because tests change the environment of their process.
const { REACH_FOLDER } = process.env;
const ITSELF = `--import=${import.meta.url}`;
const kept = new Set();

/** The test file that runs now in this process of Vitest, or for which this program was started. */
const testFile = () => globalThis.__vitest_worker__?.filepath ?? process.env.REACH_TEST ?? '';

globalThis.reached = (...ids) => {
  const file = testFile();
  for (const id of ids) {
    const pair = `${id}\t${file}\n`;
    if (file === '' || kept.has(pair)) continue;
    kept.add(pair);
    appendFileSync(join(REACH_FOLDER, `${process.pid}-${threads.threadId}`), pair);
  }
};

const passedOn = (options = '') => ({
  NODE_OPTIONS: options.includes(ITSELF) ? options : `${options} ${ITSELF}`.trim(),
  REACH_FOLDER,
  REACH_TEST: testFile(),
});

// All ways to start a program that do not wait for it end here.
const { spawn } = ChildProcess.prototype;
ChildProcess.prototype.spawn = function (options) {
  const pairs = options.envPairs ?? [];
  const given = pairs.find((pair) => pair.startsWith('NODE_OPTIONS='))?.slice('NODE_OPTIONS='.length);
  const added = Object.entries(passedOn(given)).map(([name, value]) => `${name}=${value}`);
  const others = pairs.filter((pair) => !/^(NODE_OPTIONS|REACH_FOLDER|REACH_TEST)=/.test(pair));
  return spawn.call(this, { ...options, envPairs: [...others, ...added] });
};

for (const name of ['spawnSync', 'execFileSync', 'execSync']) {
  const original = childProcess[name];
  childProcess[name] = (...given) => {
    while (given.length > 0 && given.at(-1) === undefined) given.pop();
    const last = given.at(-1);
    const hasOptions = typeof last === 'object' && last !== null && !Array.isArray(last);
    const options = hasOptions ? given.pop() : {};
    const env = options.env ?? process.env;
    return original(...given, { ...options, env: { ...env, ...passedOn(env.NODE_OPTIONS) } });
  };
}

// A thread outlives a test file, so it shares the environment, in which each message names the file.
threads.Worker = class Worker extends threads.Worker {
  constructor(file, options = {}) {
    const { env } = options;
    const isOwn = typeof env === 'object' && env !== null;
    Object.assign(process.env, passedOn(process.env.NODE_OPTIONS));
    super(file, { ...options, env: isOwn ? { ...env, ...passedOn(env.NODE_OPTIONS) } : threads.SHARE_ENV });
  }

  postMessage(...given) {
    process.env.REACH_TEST = testFile();
    return super.postMessage(...given);
  }
};
syncBuiltinESMExports();
