import { z } from 'zod';
import { named } from '../named.ts';
import { severity } from './execution.ts';
import { pageAuth } from './page-auth.ts';
import { screenshotChoices } from './run.ts';
import { globs, runOptions } from './service-options.ts';

const modelProvider = z.enum(['gemini', 'claude', 'openai']);

const aiConfig = named(
  'ModelChoice',
  z
    .strictObject({
      provider: modelProvider.optional(),
      model: z.string().min(1).optional(),
      defaultModels: z.partialRecord(modelProvider, z.string().min(1)).optional(),
      maxToolTurns: z.number().int().min(1).max(16).optional(),
    })
    .refine((config) => Object.keys(config).length > 0, { error: 'must have at least one field' }),
);

/** Severities by issue type, in place of those of the rules; `off` drops the findings. */
export const severities = z
  .record(z.string().min(1).max(200), z.union([severity, z.literal('off')]))
  .refine((chosen) => Object.keys(chosen).length <= 500, { error: 'must have at most 500 entries' });
export type Severities = z.infer<typeof severities>;

const value = z.union([z.string(), z.number(), z.boolean()]);

/** Fields that a run of one agent and a review by several have in common. */
export const runFields = {
  crossPageExecute: z
    .boolean()
    .default(false)
    .describe('If true, also reviews pages of the same site that can be reached from the URL.'),
  maxUrlsToProcess: z.number().int().min(1).max(10_000).default(50),
  pages: globs
    .optional()
    .describe(
      'Globs of the pages that are reviewed, such as `/docs/**`. The links of other pages are followed nevertheless.',
    ),
  sitemap: z
    .boolean()
    .optional()
    .describe('If true, also reviews the pages of the site that its sitemap lists.'),
  deviceType: z.enum(['mobile', 'desktop']).default('desktop'),
  screenshots: z
    .enum(screenshotChoices)
    .optional()
    .describe(
      'Keeps a screenshot of no page, of pages with findings, or of all pages that are loaded in a browser. Defaults to the setting of the agent, and otherwise to `findings`.',
    ),
  strategyOptions: runOptions
    .optional()
    .describe('Options of the service of the agent, each in place of that of the agent.'),
  severities: severities
    .optional()
    .describe(
      'Severities by issue type, each in place of that of the rule; `off` drops the findings. agents/rules lists the issue types.',
    ),
  annotationVisibility: z.enum(['public', 'private']).default('private'),
  ranBy: z
    .object({ userId: z.string().min(1), name: z.string().default(''), email: z.string().default('') })
    .optional(),
  userContext: z.record(z.string(), value).default({}),
  variables: z.record(z.string(), value).default({}),
  aiConfig: aiConfig.optional(),
};

/** The credentials of a run or review that starts at once. Schedules do not store any: their agents have their own. */
export const authField = {
  auth: pageAuth
    .optional()
    .describe('Credentials for the reviewed pages, in place of those of the agent. Never returned.'),
};
