import { cpus } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import type { WebhookReceiver } from '../../test/fakes/webhook-receiver.ts';
import { type Caller, createCaller } from './caller.ts';
import { type FaultRecord, faults, makeFault, type Stage } from './faults.ts';
import { type Ledger, newLedger } from './ledger.ts';
import { HOME, prepareLoad, runLoads } from './loads.ts';
import { EARLY, judgeMemory, LATE, type MemoryVerdict, type Sample, sampleMemory } from './memory.ts';
import { typeTexts } from './typing.ts';
import { type Check, verifyRuns, verifyWebhooks, verifyWrites } from './verify.ts';

export interface SoakOptions {
  minutes: number;
  /** Faults whose names contain one of these words; all if empty. */
  only: readonly string[];
  tenant: { apiKeyId: string; headers: Record<string, string>; endpointId: string };
  receiver: WebhookReceiver;
  siteUrl: string;
  databaseUrl: string;
  stage: Stage;
  /** Version of PostgreSQL. */
  version: string;
}

export interface SoakResult {
  machine: string;
  minutes: number;
  calls: { calls: number; done: number };
  failures: { what: string; during: number; outside: number }[];
  faults: FaultRecord[];
  /** Faults that were not made, with the reason. */
  skipped: { name: string; reason: string }[];
  checks: Check[];
  /** Undefined if the run was too short to tell. */
  memory: MemoryVerdict[] | undefined;
  samples: Sample[];
  slowestReadyMs: number;
}

/** In a shorter run, processes still warm up, so that a comparison would say nothing. */
const MEMORY_FROM_MINUTES = 10;
/** After a fault, requests that it met may still fail for as long. */
const CALM_AFTER_MS = 10_000;
const SETTLED_WITHIN_MS = 300_000;

/** Makes the load and the faults, and then verifies everything that was promised. */
export async function runSoak(options: SoakOptions): Promise<SoakResult> {
  const { minutes, stage, tenant, receiver } = options;
  const { deployment, readiness } = stage;
  const began = performance.now();
  const elapsed = () => (performance.now() - began) / 1_000;
  let isOn = true;
  let current: string | undefined;
  let calmFrom = 0;
  const isCalm = () => current === undefined && performance.now() > calmFrom;
  const caller = createCaller(readiness, tenant.headers, isCalm);
  const ledger = newLedger();
  const agents = await prepareLoad(caller);
  const { token } = await caller.read('/v2/auth/generate_token', {
    userId: 'ada',
    userProperties: { name: 'Ada', email: 'ada@example.com' },
    permissions: { resources: [{ type: 'organization', id: HOME.organizationId, accessRole: 'editor' }] },
  });
  const running = () => isOn;
  const loads = runLoads({ caller, ledger, site: options.siteUrl, agents, isOn: running, isCalm });
  const apis = deployment.machines.map(({ api }) => api);
  const typing = typeTexts({ apis, token, isOn: running });
  // The other two are killed, and begin anew.
  const { api, worker } = deployment.machines[1]!;
  const sampling = sampleMemory([api, worker], {
    everyMs: Math.max(2_000, (minutes * 60_000) / 150),
    isOn: running,
    isCalm,
    progress: () => elapsed() / (minutes * 60),
  });
  const progress = printProgress({ elapsed, running, caller, ledger, receiver, current: () => current });
  for (const work of [loads, typing, sampling]) work.catch(() => {});
  const made = await makeFaults(options, elapsed, {
    begin(name) {
      current = name;
      console.log(`${clock(elapsed())}  begins: ${name}`);
    },
    end(record) {
      current = undefined;
      calmFrom = performance.now() + CALM_AFTER_MS;
      console.log(
        `${clock(elapsed())}  over:   ${record.name}${record.problems.map((one) => `; ${one}`).join('')}`,
      );
    },
  });
  await sleep(Math.max(0, minutes * 60_000 - elapsed() * 1_000));
  isOn = false;
  await loads;
  const [texts, samples] = [await typing, await sampling];
  await progress;
  console.log(`${clock(elapsed())}  the load has ended, and everything is read back`);
  const checks = await verifyAll(options, caller, ledger, texts);
  await caller.close();
  const isLong = minutes >= MEMORY_FROM_MINUTES;
  return {
    machine: `${cpus().length} processors, ${cpus()[0]?.model}; Node ${process.versions.node}; PostgreSQL ${options.version}`,
    minutes: elapsed() / 60,
    calls: caller.counts,
    failures: [...caller.failures].map(([what, counts]) => ({ what, ...counts })),
    ...made,
    checks,
    memory: isLong ? judgeMemory(samples, [api.name, worker.name]) : undefined,
    samples,
    slowestReadyMs: readiness.slowestMs,
  };
}

interface Announced {
  begin(name: string): void;
  end(record: FaultRecord): void;
}

/**
 * Makes one fault after the other. Two processes are killed during the warm-up, since memory of others is compared; the
 * rest comes between the two parts of the run that are compared, again and again while there is time.
 */
async function makeFaults(
  { minutes, only, stage }: SoakOptions,
  elapsed: () => number,
  announce: Announced,
): Promise<Pick<SoakResult, 'faults' | 'skipped'>> {
  const records: FaultRecord[] = [];
  const skipped: SoakResult['skipped'] = [];
  const total = minutes * 60;
  const all = faults(Math.min(60_000, minutes * 6_000));
  const wanted = all.filter(({ name }) => only.length === 0 || only.some((word) => name.includes(word)));
  const make = async (one: (typeof all)[number]) => {
    announce.begin(one.name);
    const record = await makeFault(one, stage, elapsed);
    records.push(record);
    announce.end(record);
  };
  const kills = wanted.filter(({ name }) => /API|worker$/.test(name) && name.startsWith('SIGKILL'));
  const others = wanted.filter((one) => !kills.includes(one));
  await sleep(0.02 * total * 1_000);
  for (const one of kills) await make(one);
  await sleep(Math.max(0, total * EARLY[1] - elapsed()) * 1_000);
  for (let round = 0; ; round++) {
    let hasMade = false;
    for (const one of round === 0 ? others : wanted) {
      const reason = one.skip?.(stage);
      const left = total * LATE[0] - elapsed();
      if (reason !== undefined || left < one.seconds) {
        if (round === 0) skipped.push({ name: one.name, reason: reason ?? 'the run is too short' });
        continue;
      }
      await make(one);
      hasMade = true;
      await sleep(CALM_AFTER_MS);
    }
    if (!hasMade) return { faults: records, skipped };
  }
}

async function verifyAll(
  options: SoakOptions,
  caller: Caller,
  ledger: Ledger,
  texts: Awaited<ReturnType<typeof typeTexts>>,
): Promise<Check[]> {
  const { tenant, receiver, databaseUrl, stage } = options;
  const verification = { caller, ledger, receiver, databaseUrl, ...tenant };
  const live = await texts.verify(caller, SETTLED_WITHIN_MS);
  const ended = [...stage.deployment.members, stage.postgres, stage.redis].filter((one) => one.hasEnded());
  const outside = [...caller.failures].filter(([, counts]) => counts.outside > 0);
  return [
    ...(await verifyRuns(verification)),
    ...(await verifyWebhooks(verification)),
    ...(await verifyWrites(verification)),
    {
      name: 'live texts',
      isKept: live.problems.length === 0 && live.typed > 0,
      found:
        live.problems.join('; ') || `${live.typed} words in ${live.texts} texts, each once, the same for all`,
    },
    {
      name: 'no process ends by itself',
      isKept: ended.length === 0,
      found: ended.length === 0 ? 'none did' : `${ended.length} did`,
    },
    {
      name: 'requests fail only during faults',
      isKept: outside.length === 0,
      found:
        outside.map(([what, counts]) => `${what} ${counts.outside} times`).join('; ') || 'none did otherwise',
    },
    {
      name: 'all processes are ready in the end',
      isKept: stage.readiness.allReady(),
      found: stage.deployment.members
        .map((one) => `${one.name} ${stage.readiness.of(one).status}`)
        .join(', '),
    },
  ];
}

const clock = (seconds: number): string =>
  `${String(Math.floor(seconds / 60)).padStart(2)}:${String(Math.floor(seconds % 60)).padStart(2, '0')}`;

/** Prints a line a minute. */
async function printProgress(options: {
  elapsed(): number;
  running(): boolean;
  caller: Caller;
  ledger: Ledger;
  receiver: WebhookReceiver;
  current(): string | undefined;
}): Promise<void> {
  const { elapsed, running, caller, ledger, receiver, current } = options;
  let next = 60;
  while (running()) {
    await sleep(500);
    if (elapsed() < next) continue;
    next += 60;
    const { calls, done } = caller.counts;
    console.log(
      `${clock(elapsed())}  ${done} of ${calls} calls answered; ${ledger.comments.size} comments, ${ledger.runs.length} runs, ${receiver.received.length} webhooks${current() ? `; now: ${current()}` : ''}`,
    );
  }
}
