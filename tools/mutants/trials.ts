// Finds out which tests reach a mutant, and whether they fail with it.
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import { apply, type Candidate, findCandidates } from './candidates.ts';
import { listFiles, runTests } from './copies.ts';
import { type Mutant, type MutantRecord, roomOf } from './selection.ts';

/** Where the calls for a mutant begin in the list of its tests: few at first, since most are found by a test nearby. */
const CALLS = [0, 3, 15];
/** Tests of the whole service that are tried even if many are nearer. */
const THOROUGH = /^test\/every-operation\//;
/** Tests of what browsers load, which no marker reports, by the room. */
const FAMILIES: Record<string, RegExp> = {
  'packages/build': /^src\/roles\/web\/|^test\/web\/console-routes/,
  'packages/client': /^test\/client\//,
  'packages/console': /^test\/web\/(console|agents)|^test\/e2e\/console/,
  'packages/elements': /^test\/(overlay|anchor)\/|^test\/web\/elements/,
};

/** Puts a marker in front of the statement of each mutant. */
function addMarkers(source: string, candidates: readonly Candidate[]): string {
  const spots = Map.groupBy(candidates, ({ spot }) => `${spot.start} ${spot.around}`);
  const edits = [...spots.values()].flatMap((within) => {
    const { start, end, around } = within[0]!.spot;
    const call = `globalThis.reached?.(${within.map(({ id }) => `'${id}'`).join(', ')})`;
    if (around === 'nothing') return [{ at: start, text: `${call}; `, order: 1 / end }];
    const [open, close] = around === 'block' ? [`{ ${call}; `, ' }'] : [`(${call}, `, ')'];
    // At one place, the inner one closes first and the outer one opens first.
    return [
      { at: start, text: open, order: 1 / end },
      { at: end, text: close, order: -start },
    ];
  });
  return edits
    .sort((one, other) => other.at - one.at || other.order - one.order)
    .reduce((text, edit) => text.slice(0, edit.at) + edit.text + text.slice(edit.at), source);
}

/** Runs all tests in a copy with markers, and writes what they reach and which pass to a folder. */
export async function recordReach(
  { seed, mutants }: MutantRecord,
  copy: string,
  folder: string,
  say: (text: string) => void,
): Promise<void> {
  const pairs = join(folder, 'pairs');
  rmSync(pairs, { recursive: true, force: true });
  mkdirSync(pairs, { recursive: true });
  // Some programs of the tests run as another user.
  chmodSync(pairs, 0o1777);
  for (const [file, within] of Map.groupBy(mutants, (mutant) => mutant.file)) {
    const ids = new Set(within.map(({ id }) => id));
    const path = join(copy, file);
    if (!existsSync(path)) continue;
    const source = readFileSync(path, 'utf8');
    const candidates = findCandidates(seed, file, source).filter(({ id }) => ids.has(id));
    writeFileSync(path, addMarkers(source, candidates));
  }
  const preload = pathToFileURL(join(import.meta.dirname, 'reach-preload.mjs')).href;
  const env = { REACH_FOLDER: pairs, NODE_OPTIONS: `--import=${preload}` };
  const { passed, failed } = await runTests(copy, [], { env });
  const reached: Record<string, string[]> = Object.fromEntries(mutants.map(({ id }) => [id, []]));
  for (const name of readdirSync(pairs)) {
    for (const pair of readFileSync(join(pairs, name), 'utf8').split('\n')) {
      const [id = '', test = ''] = pair.split('\t');
      const file = relative(copy, test);
      if (reached[id] && !reached[id].includes(file)) reached[id].push(file);
    }
  }
  writeFileSync(join(folder, 'reach.json'), `${JSON.stringify(reached, null, 1)}\n`);
  writeFileSync(join(folder, 'passed.json'), `${JSON.stringify(passed, null, 1)}\n`);
  say(
    `${Object.keys(passed).length} test files passed. These failed, maybe because of the markers; see ${copy}.log`,
  );
  for (const file of failed) say(file);
}

const besideOf = (file: string) => file.replace(/\.tsx?$/, '.test.ts');

/** The nearness of a test to a file of the product: by their folders first, then by words that their paths share. */
function nearness(test: string, file: string): number {
  const folders = dirname(file).split('/');
  const shared = dirname(test)
    .split('/')
    .findIndex((folder, at) => folder !== folders[at]);
  const depth = shared === -1 ? Math.min(dirname(test).split('/').length, folders.length) : shared;
  const words = new Set(file.split(/\W+/));
  const common = test.split(/\W+/).filter((word) => words.has(word)).length;
  // All that is in `src` shares that folder.
  return (test === besideOf(file) ? 1_000 : 0) + (depth > 1 ? 20 * depth : 0) + common;
}

export interface Trial {
  result: NonNullable<Mutant['result']>;
  by?: string | undefined;
  seconds: number;
}

export class Trials {
  private readonly seed: string;
  private readonly most: number;
  private readonly say: (text: string) => void;
  private readonly reached: Record<string, string[]>;
  /** Seconds of test files that pass in a copy without a mutant. */
  private readonly passed: Record<string, number>;
  private readonly broken = new Set<string>();
  private readonly tests: string[];

  constructor(seed: string, reach: string, most: number, say: (text: string) => void) {
    this.seed = seed;
    this.most = most;
    this.say = say;
    this.reached = JSON.parse(readFileSync(reach, 'utf8'));
    const passed = join(dirname(reach), 'passed.json');
    this.passed = existsSync(passed) ? JSON.parse(readFileSync(passed, 'utf8')) : {};
    this.tests = listFiles().filter((file) =>
      /^(src|packages|test|integrations)\/(?!compat).*\.test\.ts$/.test(file),
    );
  }

  /** Makes a mutant in a copy, runs the tests near it until one fails, and takes it back. */
  async try(copy: string, mutant: Mutant): Promise<Trial> {
    const begun = performance.now();
    const path = join(copy, mutant.file);
    const source = readFileSync(path, 'utf8');
    const candidate = findCandidates(this.seed, mutant.file, source).find(({ id }) => id === mutant.id)!;
    const tests = this.testsOf(mutant);
    let by: string | undefined;
    for (const [at, start] of CALLS.entries()) {
      const files = tests.slice(start, CALLS[at + 1]);
      by = await this.findKiller(copy, files, (isMutated) =>
        writeFileSync(path, isMutated ? apply(source, candidate) : source),
      );
      if (by !== undefined) break;
    }
    const isUnreached = !mutant.file.startsWith('packages/') && this.reachOf(mutant).length === 0;
    const result = by !== undefined ? 'killed' : isUnreached ? 'unreached' : 'survived';
    return { result, by, seconds: Math.round((performance.now() - begun) / 1_000) };
  }

  private reachOf = ({ id }: Mutant) => (this.reached[id] ?? []).filter((test) => this.tests.includes(test));

  /** The tests that may find a mutant, the nearest first. */
  private testsOf(mutant: Mutant): string[] {
    const { file, by } = mutant;
    const room = roomOf(file);
    const reaching = this.reachOf(mutant);
    const isGuessed = reaching.length === 0 || file.startsWith('packages/');
    // A test may reach a mutant only through what an earlier test file of its process has left, such as a thread.
    const nearby = this.tests.filter((test) => dirname(test) === dirname(file));
    const guessed = this.tests.filter((test) => roomOf(test) === room || FAMILIES[room]?.test(test));
    const order = (test: string) =>
      (test === by ? 2_000 : 0) + (reaching.includes(test) ? 500 : 0) + nearness(test, file);
    const sorted = [...new Set([...reaching, ...nearby, ...(isGuessed ? guessed : [])])].sort(
      (one, other) => order(other) - order(one) || (this.passed[one] ?? 0) - (this.passed[other] ?? 0),
    );
    const far = sorted.slice(this.most).filter((test) => THOROUGH.test(test));
    return [...sorted.slice(0, this.most), ...far].filter((test) => !this.broken.has(test));
  }

  /** The first of some test files that fails with a mutant, although it passes without. */
  private async findKiller(
    copy: string,
    candidates: readonly string[],
    mutate: (isMutated: boolean) => void,
  ): Promise<string | undefined> {
    let files = candidates.filter((file) => !this.broken.has(file));
    while (files.length > 0) {
      const seconds = files.reduce((sum, file) => sum + (this.passed[file] ?? 0), 0);
      mutate(true);
      const { isClean, failed } = await runTests(copy, files, { seconds, bail: 1 });
      mutate(false);
      if (isClean) return undefined;
      const known = files.find((file) => failed.includes(file) && this.passed[file] !== undefined);
      if (known !== undefined) return known;
      // If none is named, the run itself failed or hung, for which any test stands.
      for (const suspect of failed.length > 0 ? failed : files.slice(0, 1)) {
        const control = await runTests(copy, [suspect], { seconds: 0 });
        if (control.isClean) {
          this.passed[suspect] = control.passed[suspect] ?? 0;
          return suspect;
        }
        this.say(`left out, since it fails without a mutant: ${suspect}`);
        this.broken.add(suspect);
      }
      files = files.filter((file) => !this.broken.has(file));
    }
    return undefined;
  }
}
