import type { Finding, Severity } from '../shapes/agents/execution.ts';
import type { PageScreenshot } from '../shapes/agents/execution-record.ts';
import type { Verdict } from '../shapes/agents/run.ts';

/**
 * The result of a review, as every format shows it and as the format `json` prints it: plain data, without secrets and
 * without links that need credentials. Times are epoch milliseconds.
 */
export interface Report {
  /** Names the layout of this data; a change that breaks readers raises the number. */
  schema: 'redpen-report/1';
  /** Version of Redpen that made it. */
  redpen: string;
  /** Id of the review or, for the report on a single run, of the execution. */
  id: string;
  startedAt: number;
  completedAt: number;
  verdict: Verdict;
  /** Addresses at which the review began. */
  urls: string[];
  deviceType: 'desktop' | 'mobile';
  agents: ReportAgent[];
  /** In the order in which they were planned. */
  pages: ReportPage[];
  /** The gravest first, then by page and by place on the page. Duplicates of several agents are merged. */
  findings: ReportFinding[];
  /** Findings of the previous run or the baseline that are gone. */
  fixed: ReportFixed[];
  /** The rules behind `findings`, by issue type. Those that a model made up have none. */
  rules: Record<string, ReportRule>;
  /** Present if the review is a gate. */
  gate?: Gate;
  /** Sentences on what the review left out or could not do, such as pages beyond the limit. */
  notes: string[];
}

export interface ReportAgent {
  agentId: string;
  name: string;
  executionIds: string[];
  /** The gravest of its runs. */
  verdict: Verdict;
  /** Why a run ended without result. */
  error?: string;
  /** Number of pages that it reviewed. */
  pages: number;
  /** Number of its findings, before duplicates are merged. */
  findings: number;
  durationMs: number;
}

export interface ReportPage {
  url: string;
  /** `reviewed` if at least one agent did. */
  status: 'reviewed' | 'skipped' | 'failed';
  /** Reasons why agents could not review it. */
  problems: { agentId: string; message: string }[];
  /** `tiles[].artifactId` names the pictures. */
  screenshot?: PageScreenshot;
}

type Shown =
  | 'title'
  | 'description'
  | 'severity'
  | 'issueType'
  | 'suggestion'
  | 'confidence'
  | 'targetText'
  | 'occurrence'
  | 'context'
  | 'htmlSelector'
  | 'htmlSnippet'
  | 'url'
  | 'statusCode'
  | 'position'
  | 'outsideScreenshot'
  | 'causeId'
  | 'decision'
  | 'reason';

/** A finding on one page, merged over the agents that report it. Empty texts stand for what does not apply. */
export interface ReportFinding extends Pick<Finding, Shown> {
  /** The same in all reports on the page, for the same fault. */
  id: string;
  /** Its number in the report, from 1, in the order of `findings`; pins show it. */
  number: number;
  /** Address of the page, as in `pages`. */
  pageUrl: string;
  /** Ids of the agents that report it. */
  agents: string[];
  /** Other issue types under which further agents report the same fault. */
  alsoKnownAs: string[];
  /** Against the previous run or the baseline; absent if there is neither. */
  state?: 'new' | 'still_there';
  /** Name of the person who decided. */
  decidedBy?: string;
  /** Why it does not count: it is in the baseline, or a person rejected or resolved it. */
  ignored?: 'baseline' | 'decision';
  /** True if it makes the gate fail. */
  failsGate?: true;
  /** The place in the source that holds it, if the review maps addresses to files. */
  source?: { file: string; line?: number };
}

export interface ReportFixed {
  title: string;
  issueType: string;
  severity: Severity;
  pageUrl: string;
  url?: string;
}

export interface ReportRule {
  title: string;
  help: string;
  helpUrl?: string;
  category: string;
  defaultSeverity: Severity;
}

/** The conditions of a gate, and its judgment. */
export interface Gate {
  failOn: Severity | 'never';
  onlyNew: boolean;
  maxFindings?: number;
  passed: boolean;
  /** Sentences that say why it does not pass; empty if it does. */
  reasons: string[];
}

/** The pictures of a report by `artifactId`, as WebP. */
export type Pictures = ReadonlyMap<string, Uint8Array>;

export const REPORT_SCHEMA = 'redpen-report/1';

/** True for a finding that counts: it is neither in the baseline nor decided against. */
export const counts = ({ ignored }: Pick<ReportFinding, 'ignored'>): boolean => ignored === undefined;
