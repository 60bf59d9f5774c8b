import { z } from 'zod';
import { type ReportFormat, reportFormatNames } from '../../../report/formats.ts';
import { severities } from '../../../shapes/agents/execution.ts';
import { type ReviewPreset, reviewPresets } from '../../../shapes/agents/review.ts';

export const failOnChoices = [...severities, 'never'] as const;
export const ruleChoices = [...severities, 'off'] as const;
export const deviceTypes = ['desktop', 'mobile'] as const;

const address = z.string().refine(isPageAddress, {
  error: 'must be the address of a page, such as https://example.com/',
});
const regularExpression = z.string().refine(isRegularExpression, {
  error: 'must be a regular expression',
});
const path = z.string().min(1);
const word = z.string().min(1);

/** The content of `redpen.config.json` and `redpen.config.ts`; a flag takes the place of its field. */
export const reviewConfig = z.strictObject({
  $schema: z.string().optional(),
  urls: z.array(address).min(1).optional(),
  agents: z.array(word).min(1).optional(),
  preset: z.enum(reviewPresets).optional(),
  pages: z.array(word).optional(),
  sitemap: z.boolean().optional(),
  maxPages: z.int().min(1).max(10_000).optional(),
  device: z.enum(deviceTypes).optional(),
  failOn: z.enum(failOnChoices).optional(),
  failOnNew: z.boolean().optional(),
  maxFindings: z.int().min(0).optional(),
  baseline: path.optional(),
  rules: z.record(word, z.enum(ruleChoices)).optional(),
  formats: z.array(z.enum(reportFormatNames)).min(1).optional(),
  output: path.optional(),
  document: z
    .string()
    .regex(/^[^/]+\/[^/]+$/, { error: 'must be ORGANIZATION/DOCUMENT' })
    .optional(),
  auth: z.union([path, z.looseObject({})]).optional(),
  map: z.array(z.strictObject({ url: regularExpression, file: path })).optional(),
});
export type ReviewConfig = z.infer<typeof reviewConfig>;

/** A folder that is to be served, or a page of a server that runs. */
export type Watched = { folder: string } | { url: string };

/** A complete order for a review. */
export interface ReviewPlan {
  urls: string[];
  /** The source of the pages, if they are to be reviewed again whenever they change. */
  watch: Watched | undefined;
  agents: string[] | undefined;
  preset: ReviewPreset | undefined;
  pages: string[];
  sitemap: boolean;
  /** True to follow links although neither `pages` nor `sitemap` nor `maxPages` asks for that. */
  followsLinks: boolean;
  maxPages: number | undefined;
  device: (typeof deviceTypes)[number] | undefined;
  failOn: (typeof failOnChoices)[number];
  failOnNew: boolean;
  maxFindings: number | undefined;
  /** Path of the file. */
  baseline: string | undefined;
  updateBaseline: boolean;
  rules: Record<string, (typeof ruleChoices)[number]>;
  /** Formats of the files in `output`. */
  files: ReportFormat[];
  /** The format that is printed; undefined if reports are written to files only. */
  printed: ReportFormat | undefined;
  output: string | undefined;
  server: { url: string; apiKey: string; authToken: string } | undefined;
  document: { organizationId: string; documentId: string } | undefined;
  auth: Record<string, unknown> | undefined;
  map: { url: string; file: string }[];
  quiet: boolean;
  open: boolean;
}

/** The command line or the configuration is wrong. Each problem is a sentence that says what to do. */
export class WrongUse extends Error {
  override name = 'WrongUse';
}

export function isPageAddress(text: string): boolean {
  const url = URL.parse(text);
  return url !== null && /^https?:$/.test(url.protocol) && url.username === '' && url.password === '';
}

function isRegularExpression(text: string): boolean {
  try {
    new RegExp(text);
    return true;
  } catch {
    return false;
  }
}
