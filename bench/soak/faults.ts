import { execFileSync } from 'node:child_process';
import { closeSync, openSync, renameSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { signalBrowsers } from '../../test/service/browser-processes.ts';
import type { Deployment, LogLine, Member } from './deployment.ts';
import type { Readiness, Seen } from './readiness.ts';
import type { Server } from './servers.ts';

export interface Stage {
  deployment: Deployment;
  postgres: Server;
  redis: Server;
  /** Folder of stored files; `undefined` if no file system could be mounted for it. */
  disk: string | undefined;
  readiness: Readiness;
}

/** What a fault did and how it was seen; times are seconds since the start of the run. */
export interface FaultRecord {
  name: string;
  beganAt: number;
  /** Until every process concerned showed it in /ready. */
  shownAfter?: number;
  lasted?: number;
  /** From its end until every process was ready. */
  goneAfter?: number;
  /** What /ready said. */
  said?: string;
  /** Line of the log. */
  logged?: string;
  problems: string[];
}

export interface Fault {
  name: string;
  /** Reason why the fault cannot be made here. */
  skip?(stage: Stage): string | undefined;
  /** Estimated seconds, to find out if it still fits. */
  seconds: number;
  holdMs: number;
  begin(stage: Stage): Promise<void>;
  end(stage: Stage): Promise<void>;
  /** Processes that must show it. */
  shows(stage: Stage): Member[];
  isShown(seen: Seen): boolean;
  /** A line that the log of each process in `shows` must have. */
  log(line: LogLine): boolean;
}

/** Clocks that differ by more than a minute are a fault to Redpen; receivers accept signatures for five minutes. */
const CLOCK_AHEAD_S = 240;
const SHOWN_WITHIN_MS = 150_000;
const GONE_WITHIN_MS = 240_000;

const says =
  (pattern: RegExp, ...status: Seen['status'][]) =>
  ({ status: is, says: said }: Seen) =>
    status.includes(is) && said.some((sentence) => pattern.test(sentence));
const isSilent = ({ status }: Seen) => status === 'silent';
const isWarning = ({ level }: LogLine) => ['warn', 'error', 'fatal'].includes(level);
const ofCheck = (name: string) => (line: LogLine) => line.check === name && isWarning(line);
const everyone = ({ deployment }: Stage) => deployment.members;
const wasLost = ({ msg }: LogLine) => msg.includes('ended without stopping');
const onDatabase = (line: LogLine) =>
  isWarning(line) &&
  /database|connect|ECONN|terminat|timeout|closed|reset|answer/i.test(
    `${line.msg} ${line.reason} ${line.code}`,
  );

const killed = (name: string, kind: 'api' | 'worker'): Fault => ({
  name,
  seconds: 30,
  holdMs: 8_000,
  begin: ({ deployment }) => deployment.machines[0]![kind].end('SIGKILL'),
  end: ({ deployment }) => deployment.machines[0]![kind].start(),
  shows: ({ deployment }) => [deployment.machines[0]![kind]],
  isShown: isSilent,
  log: wasLost,
});

/** The faults, in the order in which they are made; those that take long to be seen come early. */
export const faults = (hangMs: number): Fault[] => [
  killed('SIGKILL of an API process', 'api'),
  killed('SIGKILL of a worker', 'worker'),
  {
    name: `clock of a worker ${CLOCK_AHEAD_S / 60} minutes ahead`,
    skip: ({ deployment }) =>
      deployment.setClock === undefined ? 'it needs the package faketime' : undefined,
    seconds: 120,
    holdMs: 10_000,
    begin: async ({ deployment }) => deployment.setClock!(CLOCK_AHEAD_S),
    end: async ({ deployment }) => deployment.setClock!(0),
    shows: ({ deployment }) => [deployment.machines[1]!.worker],
    isShown: says(/clock/i, 'degraded'),
    log: ofCheck('clock'),
  },
  {
    name: 'SIGKILL of the browsers, which cannot start',
    seconds: 120,
    holdMs: 10_000,
    begin: async ({ deployment: { chromePath, machines } }) => {
      renameSync(chromePath, `${chromePath}-away`);
      for (const { worker } of machines) signalBrowsers('main', 'SIGKILL', worker.pid());
    },
    end: async ({ deployment: { chromePath } }) => renameSync(`${chromePath}-away`, chromePath),
    shows: ({ deployment }) => deployment.machines.map(({ worker }) => worker),
    isShown: says(/browser/i, 'degraded'),
    log: ofCheck('browser'),
  },
  {
    name: 'crash of PostgreSQL',
    seconds: 40,
    holdMs: 10_000,
    begin: ({ postgres }) => postgres.crash(),
    end: ({ postgres }) => postgres.start(),
    shows: everyone,
    isShown: says(/database/i, 'not ready'),
    log: onDatabase,
  },
  {
    name: 'full disk of files',
    skip: ({ disk }) => (disk === undefined ? 'it mounts a file system, which needs root' : undefined),
    seconds: 40,
    holdMs: 10_000,
    begin: async ({ disk }) => fillDisk(disk!),
    end: async ({ disk }) => rmSync(join(disk!, 'filler')),
    shows: everyone,
    isShown: says(/disk|space|files/i, 'not ready'),
    log: ({ msg }) => msg.startsWith('disk has less space left'),
  },
  {
    name: 'network of a machine that hangs, then resets',
    seconds: 40 + hangMs / 1_000,
    holdMs: hangMs,
    begin: async ({ deployment }) => {
      for (const tunnel of deployment.machines[0]!.network) tunnel.hang();
    },
    end: async ({ deployment }) => {
      for (const tunnel of deployment.machines[0]!.network) {
        tunnel.flow();
        await tunnel.close();
        await tunnel.reopen();
      }
    },
    shows: ({ deployment }) => [deployment.machines[0]!.api, deployment.machines[0]!.worker],
    isShown: says(/database/i, 'not ready'),
    log: onDatabase,
  },
  {
    name: 'SIGKILL of Redis',
    seconds: 40,
    holdMs: 10_000,
    begin: ({ redis }) => redis.crash(),
    end: ({ redis }) => redis.start(),
    shows: everyone,
    isShown: says(/Redis/, 'degraded'),
    log: ofCheck('redis'),
  },
];

/** Writes a file until nothing fits any more. */
function fillDisk(folder: string): void {
  const file = openSync(join(folder, 'filler'), 'w');
  const block = Buffer.alloc(262_144, 7);
  try {
    for (;;) writeSync(file, block);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
  } finally {
    closeSync(file);
  }
}

/** Mounts a small file system on a folder; returns false without the right to do so. */
export function mountSmallDisk(folder: string, megabytes: number): boolean {
  if (process.getuid?.() !== 0) return false;
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'tmpfs', folder], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

async function until(holds: () => boolean, withinMs: number): Promise<number | undefined> {
  const began = performance.now();
  while (!holds()) {
    if (performance.now() - began > withinMs) return undefined;
    await sleep(100);
  }
  return (performance.now() - began) / 1_000;
}

/** Makes a fault, holds it until it was seen, ends it, and waits until all processes are ready again. */
export async function makeFault(fault: Fault, stage: Stage, elapsed: () => number): Promise<FaultRecord> {
  const record: FaultRecord = { name: fault.name, beganAt: elapsed(), problems: [] };
  const members = fault.shows(stage);
  const linesBefore = new Map(members.map((member) => [member, member.log.length]));
  const saw = (member: Member) => fault.isShown(stage.readiness.of(member));
  const seen = new Set<Member>();
  await fault.begin(stage);
  const held = sleep(fault.holdMs);
  record.shownAfter = await until(() => {
    for (const member of members.filter(saw)) {
      seen.add(member);
      record.said ??= stage.readiness.of(member).says[0] ?? 'no answer';
    }
    return seen.size === members.length;
  }, SHOWN_WITHIN_MS);
  await held;
  await fault.end(stage);
  record.lasted = elapsed() - record.beganAt;
  record.goneAfter = await until(stage.readiness.allReady, GONE_WITHIN_MS);
  if (record.shownAfter === undefined) {
    const missing = members.filter((member) => !seen.has(member)).map(({ name }) => name);
    record.problems.push(`/ready of ${missing.join(', ')} does not show it`);
  }
  if (record.goneAfter === undefined) {
    const stuck = stage.deployment.members.filter((one) => stage.readiness.of(one).status !== 'ready');
    record.problems.push(
      ...stuck.map((one) => {
        const { status, says: said } = stage.readiness.of(one);
        return `${one.name} stays ${status}: ${said.join(' ')}`;
      }),
    );
  }
  for (const member of members) {
    const line = member.log.slice(linesBefore.get(member)).find(fault.log);
    if (line) record.logged ??= line.msg;
    else record.problems.push(`the log of ${member.name} lacks it`);
  }
  return record;
}
