import type { DeviceType } from '../../shapes/agents/run.ts';
import type { SignIn } from '../net/sign-in.ts';

/** Categories that can be audited. */
export const lighthouseCategories = ['performance', 'accessibility', 'best-practices', 'seo'] as const;
export type LighthouseCategory = (typeof lighthouseCategories)[number];

/** One audit of a page, reduced to the parts that are of use to a reader or a model. */
export interface LighthouseAudit {
  id: string;
  title: string;
  description: string;
  /** 0 to 1; null for an audit without a score. */
  score: number | null;
  /** Lighthouse's own: `binary`, `numeric`, `informative`, `notApplicable`, `manual`, `error`. */
  scoreDisplayMode: string;
  displayValue?: string;
  /** Weight by category. */
  weights: Record<string, number>;
  /** Elements and resources concerned, at most 20. */
  items: { selector?: string; snippet?: string; url?: string; text?: string }[];
}

/** The report of an audit; `trim-report.ts` makes it from Lighthouse's own result. */
export interface LighthouseReport {
  /** URL after redirects. */
  finalUrl: string;
  formFactor: DeviceType;
  version: string;
  /** 0 to 100 by category id; null if it could not be computed. */
  scores: Record<string, number | null>;
  /** Measured values by audit id, in their own units (mostly milliseconds). */
  metrics: Record<string, number>;
  audits: LighthouseAudit[];
  warnings: string[];
}

export interface LighthouseOptions {
  /** Default: all. */
  categories?: readonly LighthouseCategory[];
  formFactor: DeviceType;
  /** Credentials that the page's own requests to these origins get. */
  signIn?: SignIn | undefined;
  signal?: AbortSignal;
  /** Timeout of the audit, without its time in the queue. Default 90 000. */
  timeoutMs?: number;
}

/** Audits a page in a browser of its own. Throws `PageFailure`. */
export type Lighthouse = (url: string, options: LighthouseOptions) => Promise<LighthouseReport>;
