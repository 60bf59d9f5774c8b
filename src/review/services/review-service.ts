import type { PageContext, PageTask, TaskResult } from '../core/execution-strategy.ts';

/** Criteria by which the authoring tools choose a service in place of a model. */
export interface ServiceChoice {
  /** Completes "it only asks …"; models choose by it. */
  demand: string;
  /** Words of instructions that ask for the service … */
  askedBy: RegExp;
  /** … unless these words ask for more than the service checks. */
  unless: RegExp;
  /** Reason why the service suits such instructions, as a sentence. */
  reason: string;
  /** Gather strategies of such an agent. */
  strategies: readonly string[];
  responseAdapter?: string;
}

/** A reviewer that needs no model; chosen by `execution.serviceId`. */
export interface Service {
  id: string;
  /** True if agents of customers may name it; otherwise only built-in agents do. */
  isPublic: boolean;
  /** Absent if instructions cannot show that the service suits. */
  choice?: ServiceChoice;
  /** Names of the gather strategies whose data it reads; without a model, no others are gathered for it. */
  reads: readonly string[];
  /**
   * True if it ends soon and opens no page once its data is gathered, so that the page can stay open for the positions
   * of its findings.
   */
  isQuick: boolean;
  run(task: PageTask, context: PageContext): Promise<TaskResult>;
}
