import { cpus } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import type { WebhookReceiver } from '../../test/fakes/webhook-receiver.ts';
import { type Caller, createCaller } from './caller.ts';
import { type FaultRecord, faults, makeFault, type Stage } from './faults.ts';
import { type Ledger, newLedger } from './ledger.ts';
import { HOME, prepareLoad, runLoads } from './loads.ts';
import { judgeMemory, type MemoryVerdict, type Sample, type Span, sampleMemory } from './memory.ts';
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
  /** Runs that began without a fault and ended with an error, with the error. */
  failedRuns: string[];
  /** Undefined if the run was too short to tell. */
  memory: MemoryVerdict[] | undefined;
  samples: Sample[];
  slowestReadyMs: number;
}

/** In a shorter run, processes still warm up, so that a comparison would say nothing. */
const MEMORY_FROM_MINUTES = 10;
/** The log reports a failure that repeats once a minute, so a fault that comes again earlier may not be in it. */
const AGAIN_AFTER_S = 75;
/** Part of the run for the first round of faults. */
const FIRST_ROUND = 0.5;
/** Part of the run without faults after the first round, and at its end. */
const CALM_PART = 0.1;
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
    elapsed,
  });
  const progress = printProgress({ elapsed, running, caller, ledger, receiver, current: () => current });
  for (const work of [loads, typing, sampling]) work.catch(() => {});
  const { spans, ...made } = await makeFaults(options, elapsed, {
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
  const { checks, failedRuns } = await verifyAll(options, caller, ledger, texts);
  await caller.close();
  const isJudged = spans !== undefined && minutes >= MEMORY_FROM_MINUTES;
  return {
    machine: `${cpus().length} processors, ${cpus()[0]?.model}; Node ${process.versions.node}; PostgreSQL ${options.version}`,
    minutes: elapsed() / 60,
    calls: caller.counts,
    failures: [...caller.failures].map(([what, counts]) => ({ what, ...counts })),
    ...made,
    checks,
    failedRuns,
    memory: isJudged ? judgeMemory(samples, [api.name, worker.name], spans) : undefined,
    samples,
    slowestReadyMs: readiness.slowestMs,
  };
}

interface Announced {
  begin(name: string): void;
  end(record: FaultRecord): void;
}

interface Made extends Pick<SoakResult, 'faults' | 'skipped'> {
  /** The spans in which memory is compared; undefined if no fault came between them. */
  spans: { early: Span; late: Span } | undefined;
}

/**
 * Makes one fault after the other: a first round of all, as far as half of the run suffices for it; then none for a while;
 * then further ones, beginning with those that are missing; and none at the end.
 */
async function makeFaults(
  { minutes, only, stage }: SoakOptions,
  elapsed: () => number,
  announce: Announced,
): Promise<Made> {
  const total = minutes * 60;
  const wanted = faults(Math.min(60_000, minutes * 6_000)).filter(
    ({ name }) => only.length === 0 || only.some((word) => name.includes(word)),
  );
  const reasons = new Map(wanted.map((one) => [one, one.skip?.(stage)]));
  const queue = wanted.filter((one) => reasons.get(one) === undefined);
  const records: FaultRecord[] = [];
  const endedAt = new Map<(typeof queue)[number], number>();
  const makeUntil = async (end: number, isEnough: () => boolean) => {
    while (!isEnough()) {
      const place = queue.findIndex(({ seconds }) => elapsed() + seconds <= end);
      if (place < 0) return;
      const [one] = queue.splice(place, 1);
      const restedAt = (endedAt.get(one!) ?? -AGAIN_AFTER_S) + AGAIN_AFTER_S;
      if (restedAt + one!.seconds > end) return;
      await sleep(Math.max(0, restedAt - elapsed()) * 1_000);
      announce.begin(one!.name);
      const record = await makeFault(one!, stage, elapsed);
      records.push(record);
      announce.end(record);
      endedAt.set(one!, elapsed());
      queue.push(one!);
      await sleep(CALM_AFTER_MS);
    }
  };
  await sleep(0.02 * total * 1_000);
  await makeUntil(FIRST_ROUND * total, () => endedAt.size === queue.length);
  const early: Span = [elapsed(), elapsed() + CALM_PART * total];
  const countBefore = records.length;
  await sleep(CALM_PART * total * 1_000);
  const late: Span = [(1 - CALM_PART) * total, total];
  await makeUntil(late[0], () => false);
  const skipped = wanted
    .filter((one) => !endedAt.has(one))
    .map((one) => ({ name: one.name, reason: reasons.get(one) ?? 'the run is too short' }));
  return { faults: records, skipped, spans: records.length > countBefore ? { early, late } : undefined };
}

async function verifyAll(
  options: SoakOptions,
  caller: Caller,
  ledger: Ledger,
  texts: Awaited<ReturnType<typeof typeTexts>>,
): Promise<Pick<SoakResult, 'checks' | 'failedRuns'>> {
  const { tenant, receiver, databaseUrl, stage } = options;
  const verification = { caller, ledger, receiver, databaseUrl, ...tenant };
  const live = await texts.verify(caller, SETTLED_WITHIN_MS);
  const ended = [...stage.deployment.members, stage.postgres, stage.redis].filter((one) => one.hasEnded());
  const outside = [...caller.failures].filter(([, counts]) => counts.outside > 0);
  const runs = await verifyRuns(verification);
  const checks = [
    runs.check,
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
  return { checks, failedRuns: runs.failed };
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
