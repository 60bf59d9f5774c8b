import type { Decision } from './listed-finding.ts';
import { UNDO_MS } from './undo-time.ts';

/** One step of a person, for one finding or several. */
export interface DecisionStep {
  ids: readonly string[];
  decision: Decision;
  reason: string | undefined;
}

/** Ids of the findings for which the service has refused the decision, with its sentence. */
export type Refusals = ReadonlyMap<string, string>;
export type SendDecision = (step: DecisionStep, isLeaving: boolean) => Promise<Refusals>;

/**
 * Decisions that are shown but may still be undone, and those that have been sent. A later step, and leaving the page,
 * send what waits.
 */
export class Decisions {
  #send: SendDecision;
  #onChange: () => void;
  #waitMs: number;
  #shown = new Map<string, DecisionStep>();
  #waiting: { step: DecisionStep; before: ReadonlyMap<string, DecisionStep | undefined> } | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** Why the last step failed. */
  problem: string | undefined;

  constructor(send: SendDecision, onChange: () => void, waitMs = UNDO_MS) {
    this.#send = send;
    this.#onChange = onChange;
    this.#waitMs = waitMs;
  }

  /** The decision on a finding that replaces what its data say. */
  of(id: string): DecisionStep | undefined {
    return this.#shown.get(id);
  }

  /** The step that can be undone. */
  get undoable(): DecisionStep | undefined {
    return this.#waiting?.step;
  }

  decide(step: DecisionStep): void {
    this.flush();
    this.problem = undefined;
    this.#waiting = { step, before: new Map(step.ids.map((id) => [id, this.#shown.get(id)])) };
    for (const id of step.ids) this.#shown.set(id, step);
    this.#timer = setTimeout(() => this.flush(), this.#waitMs);
    this.#onChange();
  }

  /** Takes the last step back, which has not been sent. */
  undo(): DecisionStep | undefined {
    const taken = this.#waiting;
    if (!taken) return undefined;
    clearTimeout(this.#timer);
    this.#waiting = undefined;
    this.#restore(taken.before);
    this.#onChange();
    return taken.step;
  }

  /** Sends what waits. */
  flush(isLeaving = false): void {
    const taken = this.#waiting;
    if (!taken) return;
    clearTimeout(this.#timer);
    this.#waiting = undefined;
    const { step, before } = taken;
    const refused = (ids: readonly string[], message: string) => {
      this.problem = message;
      this.#restore(new Map([...before].filter(([id]) => ids.includes(id) && this.#shown.get(id) === step)));
    };
    this.#send(step, isLeaving)
      .then(
        (refusals) => {
          const [message] = refusals.values();
          if (message !== undefined) refused([...refusals.keys()], message);
        },
        (error: unknown) => refused(step.ids, error instanceof Error ? error.message : String(error)),
      )
      .finally(this.#onChange);
    this.#onChange();
  }

  #restore(before: ReadonlyMap<string, DecisionStep | undefined>): void {
    for (const [id, step] of before) {
      if (step) this.#shown.set(id, step);
      else this.#shown.delete(id);
    }
  }

  /** Forgets decisions that new data say themselves. */
  settle(decisionOf: ReadonlyMap<string, Decision>): void {
    for (const [id, step] of this.#shown)
      if (step !== this.#waiting?.step && decisionOf.get(id) === step.decision) this.#shown.delete(id);
  }
}
