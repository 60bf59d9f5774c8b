// Which mutants are made: a share for each room of the product, and the record of them in `mutants.json`.
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { apply, type Candidate, findCandidates, isValid, KINDS, type Kind } from './candidates.ts';
import { listFiles, ROOT } from './copies.ts';

export interface Mutant extends Pick<Candidate, 'id' | 'file' | 'kind' | 'line' | 'before' | 'after'> {
  result?: 'killed' | 'survived' | 'unreached';
  /** The test file that killed it. */
  by?: string;
}

export interface MutantRecord {
  seed: string;
  mutants: Mutant[];
}

interface Room {
  lines: number;
  candidates: Candidate[];
}

const RECORD = join(import.meta.dirname, 'mutants.json');
const LEAST = 2;
/** Tests and what only they use, printed files, data, and migrations, which never change. */
const NOT_PRODUCT =
  /\.test\.tsx?$|\.d\.ts$|\/fixtures\/|\/testing-|^src\/(db\/migrations|roles\/docs|http\/openapi\/response-examples)\/|^packages\/client\/(generate\/|src\/(operations|names|webhook-messages)\.ts)/;

/** The folder of a file in `src` or `packages`, or `src` itself for a file that is directly in it. */
export const roomOf = (file: string): string =>
  /^src\/[^/]*$/.test(file) ? 'src' : file.split('/', 2).join('/').replace(/\.ts$/, '');

export function readRooms(seed: string): Map<string, Room> {
  const rooms = new Map<string, Room>();
  for (const file of listFiles()) {
    if (!/^(src|packages)\/.*\.tsx?$/.test(file) || NOT_PRODUCT.test(file)) continue;
    const source = readFileSync(join(ROOT, file), 'utf8');
    const room = rooms.get(roomOf(file)) ?? { lines: 0, candidates: [] };
    rooms.set(roomOf(file), room);
    room.lines += source.split('\n').length;
    room.candidates.push(...findCandidates(seed, file, source));
  }
  return rooms;
}

export function readRecord(): MutantRecord {
  return JSON.parse(readFileSync(RECORD, 'utf8')) as MutantRecord;
}

/** A line for each mutant. */
export function writeRecord({ seed, mutants }: MutantRecord): void {
  const lines = mutants
    .toSorted((one, other) => (one.file < other.file ? -1 : one.file > other.file ? 1 : 0))
    .map((mutant) => `    ${JSON.stringify(mutant)}`);
  writeFileSync(
    RECORD,
    `{\n  "seed": ${JSON.stringify(seed)},\n  "mutants": [\n${lines.join(',\n')}\n  ]\n}\n`,
  );
}

/** The number of mutants of each room: by its lines, but some of every room that has any. */
export function sharesOf(rooms: Map<string, Room>, count: number): Map<string, number> {
  const shares = new Map<string, number>();
  for (const [name, { candidates }] of rooms) shares.set(name, Math.min(LEAST, candidates.length));
  const worth = (name: string) => rooms.get(name)!.lines / (shares.get(name)! + 0.5);
  for (let left = count - [...shares.values()].reduce((sum, share) => sum + share, 0); left > 0; left--) {
    const open = [...shares.keys()].filter((name) => shares.get(name)! < rooms.get(name)!.candidates.length);
    if (open.length === 0) break;
    const next = open.reduce((best, name) => (worth(name) > worth(best) ? name : best));
    shares.set(next, shares.get(next)! + 1);
  }
  return shares;
}

/** Chooses all mutants anew, or, with the earlier ones, some for those of them whose text is gone. */
export function choose(seed: string, count: number, earlier?: readonly Mutant[]): Mutant[] {
  const rooms = readRooms(seed);
  const ids = new Set([...rooms.values()].flatMap(({ candidates }) => candidates.map(({ id }) => id)));
  const kept = (earlier ?? []).filter(({ id }) => ids.has(id));
  const shares = sharesOf(rooms, count);
  const chosen: Mutant[] = [];
  for (const [name, { candidates }] of rooms) {
    const inRoom = (mutants: readonly Mutant[]) => mutants.filter(({ file }) => roomOf(file) === name);
    const share = earlier ? inRoom(earlier).length : shares.get(name)!;
    chosen.push(...fillRoom(name, candidates, share, inRoom(kept)));
  }
  return chosen;
}

/** Chooses by the rank, but spread over the files and kinds of a room. */
function fillRoom(room: string, candidates: Candidate[], share: number, kept: Mutant[]): Mutant[] {
  const chosen = [...kept];
  const hash = (text: string) => createHash('sha256').update(text).digest('hex');
  const ranked = candidates.toSorted((one, other) => (one.id < other.id ? -1 : 1));
  const weight = (kind: Kind) => (kind === 'where' ? 2 : 1);
  const countOf = (kind: Kind) => chosen.filter((mutant) => mutant.kind === kind).length;
  // Otherwise, rooms with few mutants would all have the same kinds.
  const kinds = KINDS.toSorted((one, other) => (hash(room + one) < hash(room + other) ? -1 : 1));
  for (let most = 1; most <= 4; most++) {
    while (chosen.length < share) {
      const byNeed = kinds.toSorted(
        (one, other) => countOf(one) / weight(one) - countOf(other) / weight(other),
      );
      const isFree = ({ id, file }: Candidate) =>
        chosen.every((mutant) => mutant.id !== id) &&
        chosen.filter((mutant) => mutant.file === file).length < most;
      const next = byNeed
        .flatMap(
          (kind) =>
            ranked.find((candidate) => candidate.kind === kind && isFree(candidate) && isSound(candidate)) ??
            [],
        )
        .at(0);
      if (!next) break;
      const { id, file, kind, line, before, after } = next;
      chosen.push({ id, file, kind, line, before, after });
    }
  }
  return chosen;
}

function isSound(candidate: Candidate): boolean {
  return isValid(candidate.file, apply(readFileSync(join(ROOT, candidate.file), 'utf8'), candidate));
}
