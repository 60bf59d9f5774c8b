// Makes small faults in the product, and records which of them the tests find. It needs the installed packages:
//
//   node_modules/.bin/node tools/mutants/mutants.ts COMMAND
//
//   list                                   counts what could be changed, by room and kind
//   choose [--renew] [--seed TEXT] [--count 150]
//                                          writes mutants.json; --renew replaces only mutants whose text is gone
//   reach FOLDER [--work FOLDER]           runs all tests once, and writes reach.json: which tests reach which mutant
//   run --reach FOLDER/reach.json [--only ID,…] [--from ID] [--jobs 2] [--most 40] [--work FOLDER]
//                                          makes each mutant, runs the tests near it, and writes who found it to
//                                          mutants.json; ends with code 1 if one survives that was killed before
//
// Copies of the checkout are made in --work, by default the folder for temporary files. They take little space if
// node_modules is on the same file system. What the tests of a copy print stays beside it, in a file `.log`.
import { readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { findCandidates, KINDS } from './candidates.ts';
import { copyCheckout, ROOT } from './copies.ts';
import {
  choose,
  type Mutant,
  type MutantRecord,
  readRecord,
  readRooms,
  roomOf,
  sharesOf,
  writeRecord,
} from './selection.ts';
import { recordReach, Trials } from './trials.ts';

const say = (text: string) => void process.stdout.write(`${text}\n`);

/** Prints a table: a row for each name, in which the columns count. */
function printTable(columns: readonly string[], rows: Iterable<[string, readonly number[]]>): void {
  const line = (name: string, cells: readonly (string | number)[]) =>
    say(name.padEnd(22) + cells.map((cell) => String(cell).padStart(11)).join(''));
  line('', columns);
  for (const [name, counts] of rows) line(name, counts);
}

function list(seed: string, count: number): void {
  const rooms = readRooms(seed);
  const shares = sharesOf(rooms, count);
  const rows = [...rooms].map(([name, { lines, candidates }]): [string, number[]] => {
    const counts = KINDS.map((kind) => candidates.filter((candidate) => candidate.kind === kind).length);
    return [name, [lines, shares.get(name)!, candidates.length, ...counts]];
  });
  const total = rows
    .map(([, counts]) => counts)
    .reduce((sum, counts) => sum.map((value, at) => value + counts[at]!));
  printTable(['lines', 'share', 'all', ...KINDS], [...rows, ['all', total]]);
}

/** The mutants whose text the sources no longer contain. */
function findGone({ seed, mutants }: MutantRecord): Set<string> {
  const isGone = ({ id, file }: Mutant) => {
    try {
      const candidates = findCandidates(seed, file, readFileSync(join(ROOT, file), 'utf8'));
      return candidates.every((candidate) => candidate.id !== id);
    } catch {
      return true;
    }
  };
  return new Set(mutants.filter(isGone).map(({ id }) => id));
}

const describe = ({ id, file, kind, before, after }: Mutant) =>
  `${id} ${file} ${kind}: ${before.slice(0, 60)} -> ${after.slice(0, 60)}`;

function printResults({ mutants }: MutantRecord, gone: Set<string>): void {
  const results = ['killed', 'survived', 'unreached', 'gone', 'untried'];
  const resultOf = ({ id, result }: Mutant) => (gone.has(id) ? 'gone' : (result ?? 'untried'));
  const rows = (keyOf: (mutant: Mutant) => string) =>
    [...new Set(mutants.map(keyOf))]
      .sort()
      .map((key): [string, number[]] => [
        key,
        results.map(
          (result) => mutants.filter((mutant) => keyOf(mutant) === key && resultOf(mutant) === result).length,
        ),
      ]);
  printTable(results, [
    ...rows(({ file }) => roomOf(file)),
    ...rows(({ kind }) => kind),
    ...rows(() => 'all'),
  ]);
}

interface RunOptions {
  reach: string;
  only?: string | undefined;
  from?: string | undefined;
  jobs: number;
  most: number;
  work: string;
}

/** Tries the mutants in some copies at once, and returns those that survive although they were killed before. */
async function run({ reach, only, from, jobs, most, work }: RunOptions): Promise<Mutant[]> {
  const record = readRecord();
  const gone = findGone(record);
  const start = from === undefined ? 0 : record.mutants.findIndex(({ id }) => id === from);
  const wanted = record.mutants.slice(start).filter(({ id }) => !only || only.split(',').includes(id));
  const queue = wanted.filter(({ id }) => !gone.has(id));
  for (const mutant of wanted) if (gone.has(mutant.id)) say(`gone: ${describe(mutant)}`);
  const trials = new Trials(record.seed, resolve(reach), most, say);
  const lost: Mutant[] = [];
  let done = 0;
  const job = async () => {
    const copy = copyCheckout(work);
    for (let mutant = queue.shift(); mutant; mutant = queue.shift()) {
      const { result, by, seconds } = await trials.try(copy, mutant);
      if (mutant.result === 'killed' && result !== 'killed') lost.push(mutant);
      Object.assign(mutant, { result, by });
      writeRecord(record);
      say(
        `${++done}/${done + queue.length} ${result}${by ? ` by ${by}` : ''} in ${seconds} s: ${describe(mutant)}`,
      );
    }
  };
  await Promise.all(Array.from({ length: jobs }, job));
  printResults(record, gone);
  return lost;
}

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    renew: { type: 'boolean', default: false },
    seed: { type: 'string' },
    count: { type: 'string', default: '150' },
    reach: { type: 'string' },
    only: { type: 'string' },
    from: { type: 'string' },
    jobs: { type: 'string', default: '2' },
    most: { type: 'string', default: '40' },
    work: { type: 'string', default: tmpdir() },
  },
});
const { seed = 'redpen', count, renew, reach, jobs, most, work } = values;
const [command, folder] = positionals;
if (command === 'list') list(seed, Number(count));
else if (command === 'choose') {
  const earlier = renew ? readRecord() : undefined;
  const chosenBy = earlier?.seed ?? seed;
  writeRecord({ seed: chosenBy, mutants: choose(chosenBy, Number(count), earlier?.mutants) });
} else if (command === 'reach' && folder !== undefined) {
  await recordReach(readRecord(), copyCheckout(resolve(work)), resolve(folder), say);
} else if (command === 'run' && reach !== undefined) {
  const options = { ...values, reach, jobs: Number(jobs), most: Number(most), work: resolve(work) };
  const lost = await run(options);
  for (const mutant of lost) say(`killed before, but no longer: ${describe(mutant)}`);
  if (lost.length > 0) process.exitCode = 1;
} else {
  say('The commands are list, choose, reach FOLDER, and run --reach FILE: see the head of this file.');
  process.exitCode = 2;
}
