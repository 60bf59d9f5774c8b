import type { FindingRecord } from '@redpen/client';
import { UNDO_MS } from '@redpen/elements/findings/undo-time';

export type Decision = 'undecided' | 'accepted' | 'rejected' | 'resolved';

/** What the person sees of a decision, before and after the service has it. */
export interface DecisionShown {
  decision: Decision;
  reason?: string | undefined;
  decidedBy?: string | undefined;
  /** The assistant that decided for the person. */
  assistant?: string | undefined;
  /** It can still be undone, since the service does not have it yet. */
  isPending?: boolean;
}

/** What a decision needs of a finding. */
export type Decidable = Pick<
  FindingRecord,
  'id' | 'annotationId' | 'decision' | 'reason' | 'decidedBy' | 'title'
>;

export interface DecisionRequest {
  findingIds: string[];
  decision: Decision;
  reason?: string;
}

/** Sends a decision; returns the sentences of those findings that could not be decided, by id. */
export type SendDecision = (request: DecisionRequest, isLeaving: boolean) => Promise<Map<string, string>>;

export interface Batch {
  findings: readonly Decidable[];
  shown: DecisionShown;
  state: 'waiting' | 'sending' | 'saved' | 'undone';
  /** Decisions on some of the findings that waited when this one was made, and are not sent. */
  replaced: readonly { findings: readonly Decidable[]; shown: DecisionShown }[];
  /** Ends when the service has answered. */
  answered?: Promise<void>;
}

interface QueueOptions {
  send: SendDecision;
  /** Called with a sentence if findings could not be decided. */
  onFailure(sentence: string): void;
  onSaved(): void;
  waitMs?: number;
}

const AT_ONCE = 100;

/** Shows decisions at once, and sends them when the time for undoing is over or the person leaves the page. */
export class DecisionQueue {
  #waiting = new Map<Batch, ReturnType<typeof setTimeout>>();
  #pending = new Map<string, DecisionShown>();
  /** By the very object: data that is read again knows the decision itself. */
  #saved = new WeakMap<object, DecisionShown>();
  #onSuggestion = new Map<string, DecisionShown>();
  #listeners = new Set<() => void>();
  #version = 0;
  #options: QueueOptions;

  constructor(options: QueueOptions) {
    this.#options = options;
  }

  subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  version = (): number => this.#version;

  shown(finding: Decidable): DecisionShown {
    const changed =
      this.#pending.get(finding.id) ??
      this.#saved.get(finding) ??
      (finding.annotationId === undefined ? undefined : this.#onSuggestion.get(finding.annotationId));
    if (changed) return changed;
    const { decision, reason, decidedBy } = finding;
    return {
      decision: decision ?? 'undecided',
      reason,
      decidedBy: decidedBy && (decidedBy.name || decidedBy.userId),
      ...(decidedBy?.assistant !== undefined && { assistant: decidedBy.assistant }),
    };
  }

  decide(findings: readonly Decidable[], decision: Decision, reason?: string): Batch {
    const shown: DecisionShown = { decision, isPending: true, ...(reason && { reason }) };
    const batch: Batch = { findings, shown, state: 'waiting', replaced: this.#replace(findings) };
    for (const { id } of findings) this.#pending.set(id, shown);
    const timer = setTimeout(() => void this.#send(batch, false), this.#options.waitMs ?? UNDO_MS);
    this.#waiting.set(batch, timer);
    this.#change();
    return batch;
  }

  /** Takes a decision back. One that the service has already is decided anew, where that is possible. */
  undo(batch: Batch): void {
    if (batch.state === 'waiting') {
      this.#stopWaiting(batch);
      batch.state = 'undone';
      this.#forget(batch);
      for (const { findings, shown } of batch.replaced) this.decide(findings, shown.decision, shown.reason);
    } else if (batch.state !== 'undone') {
      const { findings, answered } = batch;
      batch.state = 'undone';
      const back: Batch = { findings, shown: { decision: 'undecided' }, state: 'waiting', replaced: [] };
      // The service could take the later of two requests under way first.
      void Promise.resolve(answered).then(() => this.#send(back, false));
    }
  }

  /** Sends what waits, such as when the page is about to go. */
  async flush(isLeaving = false): Promise<void> {
    await Promise.all([...this.#waiting.keys()].map((batch) => this.#send(batch, isLeaving)));
  }

  #send(batch: Batch, isLeaving: boolean): Promise<void> {
    this.#stopWaiting(batch);
    batch.state = 'sending';
    batch.answered = this.#sendParts(batch, isLeaving);
    return batch.answered;
  }

  async #sendParts(batch: Batch, isLeaving: boolean): Promise<void> {
    const { decision, reason } = batch.shown;
    const shown: DecisionShown = { decision, ...(reason !== undefined && { reason }) };
    const failed = new Map<string, string>();
    const sendPart = async (part: readonly Decidable[]): Promise<void> => {
      const request = { findingIds: part.map(({ id }) => id), decision, ...(reason && { reason }) };
      try {
        for (const [id, sentence] of await this.#options.send(request, isLeaving)) failed.set(id, sentence);
      } catch (error) {
        for (const { id } of part) failed.set(id, (error as Error).message);
      }
    };
    const parts: Promise<void>[] = [];
    for (let from = 0; from < batch.findings.length; from += AT_ONCE) {
      const sent = sendPart(batch.findings.slice(from, from + AT_ONCE));
      // A page that goes sees no answer, after which it could send the next part.
      if (!isLeaving) await sent;
      parts.push(sent);
    }
    await Promise.all(parts);
    if (batch.state === 'sending') batch.state = 'saved';
    for (const finding of batch.findings) {
      if (failed.has(finding.id)) continue;
      this.#saved.set(finding, shown);
      if (finding.annotationId !== undefined && isFinal(finding, shown))
        this.#onSuggestion.set(finding.annotationId, shown);
    }
    this.#forget(batch);
    if (failed.size > 0) this.#options.onFailure(describeFailures(failed, batch.findings));
    if (failed.size < batch.findings.length) this.#options.onSaved();
  }

  /** Takes findings out of the decisions that wait: only the last decision on a finding is sent. */
  #replace(findings: readonly Decidable[]): Batch['replaced'] {
    const ids = new Set(findings.map(({ id }) => id));
    return [...this.#waiting.keys()].flatMap((batch) => {
      const taken = batch.findings.filter(({ id }) => ids.has(id));
      if (taken.length === 0) return [];
      batch.findings = batch.findings.filter(({ id }) => !ids.has(id));
      return [{ findings: taken, shown: batch.shown }];
    });
  }

  #stopWaiting(batch: Batch): void {
    clearTimeout(this.#waiting.get(batch));
    this.#waiting.delete(batch);
  }

  #forget({ findings, shown }: Batch): void {
    for (const { id } of findings) if (this.#pending.get(id) === shown) this.#pending.delete(id);
    this.#change();
  }

  #change(): void {
    this.#version++;
    for (const listener of this.#listeners) listener();
  }
}

function describeFailures(failed: ReadonlyMap<string, string>, findings: readonly Decidable[]): string {
  const [[id, sentence] = ['', '']] = failed;
  const title = findings.find((finding) => finding.id === id)?.title;
  return failed.size === 1
    ? `“${title}” was not decided: ${sentence}`
    : `${failed.size} findings were not decided: ${sentence}`;
}

/** True if a person's decision on it is final: a suggestion on a document stands for it. */
export const isFinal = (finding: Decidable, { decision, isPending, assistant }: DecisionShown): boolean =>
  finding.annotationId !== undefined &&
  !isPending &&
  assistant === undefined &&
  (decision === 'accepted' || decision === 'rejected');
