import { setTimeout as sleep } from 'node:timers/promises';
import { median } from '../closed-loop.ts';
import { type Member, readJson } from './deployment.ts';
import type { MemoryReading } from './memory-probe.ts';

/** A reading of one process, in MB. */
export interface Sample {
  member: string;
  /** Seconds since the start of the run. */
  at: number;
  resident: number;
  held: number;
  heap: number;
}

export interface MemoryVerdict {
  member: string;
  figure: 'resident' | 'held';
  early: number;
  late: number;
  /** Growth as a share of the early figure. */
  growth: number;
  isFlat: boolean;
}

/** Seconds since the start of the run, from and to. */
export type Span = readonly [number, number];

/** Growth that counts as flat. */
const FLAT = 0.1;

const MB = 1_048_576;

/** Takes a reading of a process after it has collected its garbage. */
async function read(member: Member): Promise<MemoryReading | undefined> {
  const before = readJson<MemoryReading>(member.memoryFile)?.at;
  process.kill(member.pid(), 'SIGUSR2');
  for (let attempt = 0; attempt < 40; attempt++) {
    await sleep(250);
    const reading = readJson<MemoryReading>(member.memoryFile);
    if (reading && reading.at !== before) return reading;
  }
  return undefined;
}

/** Takes readings while the load is as always, until `isOn` is false. */
export async function sampleMemory(
  members: readonly Member[],
  {
    everyMs,
    isOn,
    isCalm,
    elapsed,
  }: { everyMs: number; isOn(): boolean; isCalm(): boolean; elapsed(): number },
): Promise<Sample[]> {
  const samples: Sample[] = [];
  while (isOn()) {
    if (isCalm()) {
      for (const member of members) {
        const reading = await read(member);
        if (reading && isCalm())
          samples.push({
            member: member.name,
            at: elapsed(),
            resident: reading.resident / MB,
            held: reading.held / MB,
            heap: reading.heap / MB,
          });
      }
    }
    await sleep(everyMs);
  }
  return samples;
}

/**
 * Compares the medians of two spans without faults: the first is after a round of faults, since what they make a process
 * allocate is not given back at once. A process without readings in both is not flat.
 */
export function judgeMemory(
  samples: readonly Sample[],
  members: readonly string[],
  spans: { early: Span; late: Span },
): MemoryVerdict[] {
  return members.flatMap((member) =>
    (['resident', 'held'] as const).map((figure) => {
      const within = ([from, to]: Span) =>
        samples
          .filter((one) => one.member === member && one.at >= from && one.at <= to)
          .map((one) => one[figure]);
      const [early, late] = [within(spans.early), within(spans.late)];
      if (early.length === 0 || late.length === 0)
        return { member, figure, early: Number.NaN, late: Number.NaN, growth: Number.NaN, isFlat: false };
      const [before, after] = [median(early), median(late)];
      const growth = after / before - 1;
      return { member, figure, early: before, late: after, growth, isFlat: growth <= FLAT };
    }),
  );
}
