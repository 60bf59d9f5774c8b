import type { DeviceType } from '../../shapes/agents/run.ts';

/** What Lighthouse can be asked to judge. */
export const lighthouseCategories = ['performance', 'accessibility', 'best-practices', 'seo'] as const;
export type LighthouseCategory = (typeof lighthouseCategories)[number];

/** One audit of a page, cut down to what a reader or a model can use. */
export interface LighthouseAudit {
  id: string;
  title: string;
  description: string;
  /** 0 to 1; null where it does not score. */
  score: number | null;
  /** As Lighthouse has it: `binary`, `numeric`, `informative`, `notApplicable`, `manual`, `error`. */
  scoreDisplayMode: string;
  displayValue?: string;
  /** The categories it counts in, with its weight in each. */
  weights: Record<string, number>;
  /** What it is about, at most 20 entries. */
  items: { selector?: string; snippet?: string; url?: string; text?: string }[];
}

export interface LighthouseReport {
  /** Where the page ended up. */
  finalUrl: string;
  formFactor: DeviceType;
  version: string;
  /** 0 to 100 by category id; null where it could not be told. */
  scores: Record<string, number | null>;
  /** Measured values in their own units (mostly milliseconds), by audit id. */
  metrics: Record<string, number>;
  audits: LighthouseAudit[];
  warnings: string[];
}

export interface LighthouseOptions {
  /** All of them by default. */
  categories?: readonly LighthouseCategory[];
  formFactor: DeviceType;
  signal?: AbortSignal;
  /** For the audit itself, once its turn has come. Default 90 000. */
  timeoutMs?: number;
}

/** Audits a page in a browser of its own. Throws `PageFailure`. */
export type Lighthouse = (url: string, options: LighthouseOptions) => Promise<LighthouseReport>;
