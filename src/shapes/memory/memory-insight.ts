import { z } from 'zod';
import { named } from '../named.ts';

const at = z.number().describe('Epoch milliseconds.');
const share = z.number().min(0).max(1);

export const memoryPattern = named(
  'MemoryPattern',
  z.object({
    patternId: z.string(),
    scope: z.enum(['apiKey', 'org']).describe('Scope of the pattern: the API key, or one organization.'),
    organizationId: z.string().optional(),
    description: z.string().describe('What reviewers do, with their most typical reasoning.'),
    confidence: share.describe('Lower bound of `enforcementRate` for future decisions.'),
    sourceCount: z.number().int().describe('Number of judgments behind the pattern.'),
    contentType: z.string().nullable(),
    category: z.enum(['approved', 'rejected', 'disputed']).describe('How reviewers decide.'),
    discoveredAt: at,
    updatedAt: at,
    enforcementRate: share.optional().describe('Share of the judgments that follow the pattern.'),
    uniqueReviewers: z.number().int().optional(),
    topSourceRecordIds: z.array(z.string()).optional().describe('Ids of the most typical judgments.'),
  }),
);
export type MemoryPattern = z.infer<typeof memoryPattern>;

export const reviewerProfile = named(
  'ReviewerProfile',
  z.object({
    userId: z.string(),
    name: z.string(),
    email: z.string(),
    totalJudgments: z.number().int(),
    approvalRate: share.describe('Share of approvals among approvals and rejections.'),
    avgReviewTimeSeconds: z
      .number()
      .describe('Average time from the creation of an annotation to the decision on it; 0 if unknown.'),
    topFlags: z
      .array(z.object({ issue: z.string(), count: z.number().int() }))
      .describe('Content types that the user most often rejects or comments on.'),
    contentTypes: z.array(z.string()).describe('Most frequent first.'),
    peakHours: z.array(z.number().int().min(0).max(23)).describe('Hours of the day in UTC, busiest first.'),
    orgBreakdown: z.record(
      z.string(),
      z.object({
        organizationId: z.string(),
        clientOrganizationId: z.string(),
        judgments: z.number().int(),
        approvals: z.number().int(),
        approvalRate: share,
      }),
    ),
    lastActive: at,
    twinEligible: z
      .boolean()
      .describe('True if the user made at least 50 judgments, enough to predict decisions.'),
    twinAccuracy: share
      .nullable()
      .describe('How often earlier judgments on similar content correctly predict later ones.'),
    evolvedStandards: z
      .array(z.object({ topic: z.string(), shiftDate: at, oldPattern: z.string(), newPattern: z.string() }))
      .optional(),
  }),
);

export const alertTypes = ['anomaly', 'configuration_drift', 'emerging_standard', 'standards_drift'] as const;
export const alertSeverities = ['high', 'medium', 'low'] as const;
export type AlertSeverity = (typeof alertSeverities)[number];

export const alertId = z.string().min(1).max(200).describe('Alert id, as returned by memory/alerts/list.');

export const memoryAlert = named(
  'MemoryAlert',
  z.object({
    id: z.string(),
    apiKey: z.string(),
    alertType: z.enum(alertTypes),
    severity: z.enum(alertSeverities),
    title: z.string(),
    description: z.string(),
    evidence: z.object({
      metric: z.enum(['approvalRate', 'volume', 'staleReferences', 'enforcementRate', 'violationRate']),
      baseline: z.number(),
      current: z.number(),
      window: z.string(),
      sourceRecordIds: z.array(z.string()),
      knowledgeSourceId: z.string().nullable(),
      ruleRef: z.string().nullable().describe('The pattern that the alert is about.'),
    }),
    suggestedAction: z.string().optional(),
    actionUrl: z.string().nullable(),
    status: z.literal('active'),
    createdAt: at,
    dismissedAt: z.null(),
    dismissedBy: z.null(),
    dedupKey: z.string().optional(),
  }),
);
export type MemoryAlert = z.infer<typeof memoryAlert>;

export const MAX_ALERTS_PER_WEEK = 3;

const alertConfigFields = {
  maxAlertsPerWeek: z.number().int().min(0).max(1_000_000).optional(),
  enabledAlertTypes: z
    .array(z.enum(alertTypes))
    .max(20)
    .optional()
    .describe('Alert types that are raised. All if absent.'),
  severityThreshold: z
    .enum(alertSeverities)
    .optional()
    .describe('Alerts of a lower severity are not raised.'),
};
/** Unknown fields are stored and returned unchanged. */
export const memoryAlertConfig = named(
  'MemoryAlertConfig',
  z.looseObject({ enabled: z.boolean(), ...alertConfigFields }),
);
export type MemoryAlertConfig = z.infer<typeof memoryAlertConfig>;

/** Maximum size of a stored config, in characters of JSON. */
export const MAX_ALERT_CONFIG = 10_000;

export const memoryAlertConfigChange = z
  .looseObject({
    ...alertConfigFields,
    enabled: z.boolean().optional(),
    maxAlertsPerWeek: alertConfigFields.maxAlertsPerWeek.describe(
      `At most ${MAX_ALERTS_PER_WEEK} are raised in seven days, however many are asked for.`,
    ),
  })
  .refine((config) => Object.keys(config).length > 0, { error: 'At least one field must be provided.' });
