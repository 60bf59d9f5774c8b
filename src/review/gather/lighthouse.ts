import { z } from 'zod';
import {
  type LighthouseAudit,
  type LighthouseReport,
  lighthouseCategories,
} from '../../outside/lighthouse/lighthouse-report.ts';
import { fetchStrategy } from './gather-strategy.ts';

const MAX_PROMPT_ITEMS = 5;
/** Audits run one at a time, so that the timeout includes the wait for others. */
const TIMEOUT_MS = 110_000;

const lighthouseOptions = z.looseObject({
  categories: z
    .array(z.enum(lighthouseCategories))
    .min(1)
    .optional()
    .describe('Audit categories to run. Defaults to all.'),
  formFactor: z.enum(['mobile', 'desktop']).optional().describe('Defaults to the device type of the run.'),
});

/** The report of Lighthouse, which loads the page in a browser of its own. */
export const lighthouse = fetchStrategy({
  name: 'lighthouse',
  options: lighthouseOptions,
  choice: {
    shows: 'an audit of performance, best practices and SEO',
    locates: 'site',
    askedBy:
      /\b(lighthouse|performance|page ?speed|load(ing)? (time|speed)s?|core web vitals|lcp|cls|inp|fcp|best practices)\b/i,
    rank: 70,
  },
  needsBrowser: true,
  timeoutMs: TIMEOUT_MS,

  gather: ({ url, options, deviceType, lighthouse: audit, signal }): Promise<LighthouseReport> =>
    audit(url, {
      formFactor: options.formFactor ?? deviceType,
      ...(options.categories && { categories: options.categories }),
      signal,
    }),

  toPrompt({ finalUrl, formFactor, version, scores, audits, warnings }) {
    const shares = Object.entries(scores).map(([category, score]) => `${category} ${score ?? 'unknown'}`);
    const metrics = audits.filter(isMetric).map(({ title, displayValue }) => `- ${title}: ${displayValue}`);
    const open = audits.filter(needsWork);
    return [
      {
        text: [
          `Lighthouse ${version} on ${finalUrl} (${formFactor}), scores of 100: ${shares.join(', ')}.`,
          ...(metrics.length > 0 ? ['Measured:', ...metrics] : []),
          ...(open.length > 0 ? ['To be improved:', ...open.map(describe)] : []),
          ...warnings.map((warning) => `Note: ${warning}`),
        ].join('\n'),
      },
    ];
  },
});

const isMetric = ({ scoreDisplayMode, displayValue, weights }: LighthouseAudit): boolean =>
  scoreDisplayMode === 'numeric' && displayValue !== undefined && (weights.performance ?? 0) > 0;

/** True if the score is below the range that Lighthouse shows in green. */
const needsWork = (audit: LighthouseAudit): boolean =>
  audit.score !== null && audit.score < 0.9 && audit.scoreDisplayMode !== 'informative' && !isMetric(audit);

function describe({ id, title, score, displayValue, weights, items }: LighthouseAudit): string {
  const facts = [Object.keys(weights).join(', '), `score ${score}`, ...(displayValue ? [displayValue] : [])];
  const shown = items.slice(0, MAX_PROMPT_ITEMS).map(({ selector, snippet, url, text }) => {
    const words = [selector ?? url, snippet, text].filter(Boolean).join(' | ');
    return `  - ${words.replace(/\s+/g, ' ')}`;
  });
  const more = items.length > shown.length ? [`  (${items.length - shown.length} more)`] : [];
  return [`- ${id}: ${title} (${facts.join('; ')})`, ...shown, ...more].join('\n');
}
