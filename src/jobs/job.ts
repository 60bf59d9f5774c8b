import type { z } from 'zod';

/** Payloads of jobs by name. Each file of `roles/jobs` adds its own, so that every floor enqueues with a checked type. */
// biome-ignore lint/suspicious/noEmptyInterface: it is filled by declaration merging.
export interface JobPayloads {}

export type JobName = keyof JobPayloads;
export type JobPayload<Name extends JobName> = JobPayloads[Name];

/** Settings of a kind of background work for the queue, without its implementation. */
export interface JobKind<Name extends JobName = JobName> {
  name: Name;
  payload: z.ZodType<JobPayload<Name>>;
  /** Field of the payload that identifies what the work is about, for `hasWaitingJob`, `deleteStartedJobs` and `countAhead`. */
  subject?: keyof JobPayload<Name> & string;
  /** Names the work when an API key is refused because too much of it waits. Unbounded if undefined. */
  plural?: string;
  /** Further attempts after a failure. */
  retries: number;
  /** An attempt that takes longer counts as failed. */
  timeoutSeconds: number;
  /** Jobs that this process works on at once. */
  concurrency: number;
  /** The queue is unhealthy if a job waits longer than this and none is begun. Default 60. */
  beginsWithinSeconds?: number;
  /** True if it adds to stored data. Such jobs wait while nothing can be stored. */
  stores?: true;
  /** Cron expression in UTC. */
  schedule?: string;
}

/** A kind of any name, with its payload. */
export type AnyJobKind = { [Name in JobName]: JobKind<Name> }[JobName];

/** A kind of background work. It may run twice for one payload and must allow for that. */
export interface Job<Name extends JobName, Deps> extends JobKind<Name> {
  /** True if `run` returns soon after `signal` is aborted, so that a stop of the process can wait for it. */
  endsOnAbort?: true;
  /** A rejection is retried up to `retries` times. */
  run(payload: JobPayload<Name>, deps: Deps, signal: AbortSignal): Promise<unknown>;
}
