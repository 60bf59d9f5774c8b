import type { Finding, FindingRecord } from '@redpen/client';

/** What the run itself saw, which later runs may see otherwise. */
const AS_SEEN = [
  'title',
  'description',
  'severity',
  'suggestion',
  'confidence',
  'targetText',
  'occurrence',
  'context',
  'htmlSelector',
  'htmlSnippet',
  'position',
  'outsideScreenshot',
  'causeId',
  'url',
  'statusCode',
] as const satisfies readonly (keyof Finding & keyof FindingRecord)[];

/** The records of the findings of a run, in the words and at the places of this run. */
export function asSeenBy(records: readonly FindingRecord[], findings: readonly Finding[]): FindingRecord[] {
  const byFingerprint = new Map(findings.map((finding) => [finding.fingerprint, finding]));
  return records.map((record) => {
    const seen = byFingerprint.get(record.fingerprint);
    if (!seen) return record;
    const fields: Record<string, unknown> = { ...record, state: seen.comparison ?? record.state };
    for (const name of AS_SEEN) {
      if (seen[name] === undefined) delete fields[name];
      else fields[name] = seen[name];
    }
    return fields as unknown as FindingRecord;
  });
}

/** What a list of the records of runs needs to know of a run. */
export interface RunProgress {
  executionId: string;
  status: string;
  progress: { urlsProcessed: number; findings: number };
}

export interface RunRecordsState {
  byExecution: ReadonlyMap<string, readonly FindingRecord[]>;
  isLoading: boolean;
  failure: unknown;
}

interface Options {
  load(executionId: string, signal: AbortSignal): Promise<readonly FindingRecord[]>;
  /** True for failures after which it is tried again. */
  isAway(error: unknown): boolean;
  retryMs?: number;
}

const AT_ONCE = 3;

/**
 * The findings of the runs of a review. Those of a run are read again when its progress has changed; runs that make
 * progress while theirs are being read are read once more.
 */
export class RunRecords {
  // Nothing is known until the first runs are read.
  #state: RunRecordsState = { byExecution: new Map(), isLoading: true, failure: undefined };
  #wanted = new Map<string, string>();
  #known = new Map<string, string>();
  #loading = new Set<string>();
  #listeners = new Set<() => void>();
  #stopping = new AbortController();
  #options: Options;

  constructor(options: Options) {
    this.#options = options;
  }

  subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  get = (): RunRecordsState => this.#state;

  follow(runs: readonly RunProgress[]): void {
    for (const { executionId, status, progress } of runs) {
      const isEmpty = status === 'running' && progress.findings === 0;
      if (!isEmpty) this.#wanted.set(executionId, `${status} ${progress.urlsProcessed} ${progress.findings}`);
    }
    this.#next();
  }

  start(): void {
    if (this.#stopping.signal.aborted) this.#stopping = new AbortController();
    this.#next();
  }

  stop(): void {
    this.#stopping.abort();
    this.#loading.clear();
  }

  #next(): void {
    const { signal } = this.#stopping;
    if (signal.aborted) return;
    for (const [executionId, token] of this.#wanted) {
      if (this.#loading.size >= AT_ONCE) break;
      if (this.#known.get(executionId) === token || this.#loading.has(executionId)) continue;
      this.#loading.add(executionId);
      void this.#load(executionId, token, signal);
    }
    const isLoading = this.#loading.size > 0;
    if (isLoading !== this.#state.isLoading) this.#set({ isLoading });
  }

  async #load(executionId: string, token: string, signal: AbortSignal): Promise<void> {
    try {
      const records = await this.#options.load(executionId, signal);
      if (signal.aborted) return;
      this.#known.set(executionId, token);
      const byExecution = new Map(this.#state.byExecution).set(executionId, records);
      this.#set({ byExecution, failure: undefined });
    } catch (error) {
      if (signal.aborted) return;
      if (this.#options.isAway(error)) {
        await new Promise((resolve) => setTimeout(resolve, this.#options.retryMs ?? 1_000));
      } else {
        this.#known.set(executionId, token);
        this.#set({ failure: error });
      }
    }
    if (signal.aborted) return;
    this.#loading.delete(executionId);
    this.#next();
  }

  #set(change: Partial<RunRecordsState>): void {
    this.#state = { ...this.#state, ...change };
    for (const listener of this.#listeners) listener();
  }
}
