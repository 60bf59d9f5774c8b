import type { DraftFinding } from '../../shapes/agents/execution.ts';
import type { RuleCategory, RuleTable } from '../../shapes/agents/rule.ts';
import type { PageContext, PageTask, RunContext, TaskResult } from '../core/execution-strategy.ts';

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

/** The pages of a run as rules across them see it. */
export interface ReviewedSite {
  seedUrl: string;
  execution: PageTask['execution'];
  /** True if the run has every page of the site that a crawl can reach. */
  isWhole: boolean;
  /** `TaskResult.siteFacts` of the completed pages; may be read several times. */
  pages(): AsyncIterable<{ url: string; facts: unknown }>;
}

/** Rules that need all pages of a run. */
export interface SiteRules {
  /** Issue types of these rules, which those of single pages do not use. */
  issueTypes: ReadonlySet<string>;
  /** Findings by the URL of their page. */
  review(site: ReviewedSite, context: RunContext): Promise<Map<string, DraftFinding[]>>;
}

/** The issue types that a service reports. */
export interface ServiceRules {
  category: RuleCategory;
  /** A function if the rules are those of a library, which is loaded to know them. */
  table: RuleTable | (() => Promise<RuleTable>);
}

/** A reviewer that needs no model; chosen by `execution.serviceId`. */
export interface Service {
  id: string;
  /** True if agents of customers may name it; otherwise only built-in agents do. */
  isPublic: boolean;
  /** Absent if instructions cannot show that the service suits. */
  choice?: ServiceChoice;
  site?: SiteRules;
  /** Absent if it reports nothing. */
  rules?: ServiceRules;
  /** True if the crawl of a run collects the words of the site for the service. */
  needsSiteWords?: true;
  /** Names of the gather strategies whose data it reads; without a model, no others are gathered for it. */
  reads: readonly string[];
  /**
   * True if it ends soon and opens no page once its data is gathered, so that the page can stay open for the positions
   * of its findings.
   */
  isQuick: boolean;
  run(task: PageTask, context: PageContext): Promise<TaskResult>;
}
