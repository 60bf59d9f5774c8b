import type { Pictures, Report } from './report.ts';

export const reportFormatNames = [
  'text',
  'json',
  'html',
  'junit',
  'sarif',
  'markdown',
  'csv',
  'codequality',
] as const;
export type ReportFormat = (typeof reportFormatNames)[number];

export interface RenderOptions {
  /** Pictures of the pages; formats without pictures ignore them. */
  pictures?: Pictures;
  /** Width of the terminal in columns, for `text`. */
  columns?: number;
  /** True to color `text` with escape codes. */
  colors?: boolean;
}

/** A format: the name of its file, and its renderer. */
export interface FormatEntry {
  /** Name of its file in an output folder. */
  fileName: string;
  mimeType: string;
  render(report: Report, options: RenderOptions): string;
}
