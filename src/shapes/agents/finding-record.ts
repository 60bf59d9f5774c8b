import { z } from 'zod';
import { itemResult } from '../batch.ts';
import {
  agentId,
  annotationId,
  callerAssignedId,
  documentId,
  executionId,
  organizationId,
  reviewId,
} from '../id-fields.ts';
import { named } from '../named.ts';
import { pageSize, pageToken } from '../page-fields.ts';
import { finding, severity } from './execution.ts';
import { pageScreenshot } from './execution-record.ts';

export const findingId = callerAssignedId.describe('Finding id, as agents/findings/list returns it.');

const state = z.enum(['new', 'still_there', 'fixed']);
const decision = z.enum(['undecided', 'accepted', 'rejected', 'resolved']);
export type FindingDecisionName = z.infer<typeof decision>;
const at = z.number().int().min(0).max(8_640_000_000_000_000);

/** One value, or a list of alternatives. */
const oneOrMore = <T extends z.ZodType>(value: T) =>
  z.union([value.transform((one) => [one]), z.array(value).min(1).max(20)]);

/** A finding over all runs of its agent that saw it on its page. */
export const findingRecord = named(
  'FindingRecord',
  finding.omit({ id: true, commentId: true, comparison: true, fingerprint: true }).extend({
    id: z.string().describe('The id of the finding over all runs.'),
    fingerprint: z
      .string()
      .describe('The same in all runs of the agent on the page, with and without documents.'),
    organizationId: z.string().optional().describe('Absent, like documentId, for runs without a document.'),
    documentId: z.string().optional(),
    agentId: z.string(),
    agentName: z.string(),
    pageUrl: z.string().describe('Address of the page, without fragment.'),
    state: state.describe('The state in the last run of the agent that reviewed the page.'),
    executionId: z.string().describe('The last run that saw it. The other fields are as this run saw it.'),
    firstExecutionId: z.string(),
    firstSeenAt: z.number().describe('Epoch milliseconds.'),
    lastSeenAt: z.number().describe('Epoch milliseconds.'),
    seenCount: z.number().describe('Number of runs that saw it.'),
    fixedAt: z.number().optional().describe('When a run no longer found it, in epoch milliseconds.'),
    fixedExecutionId: z.string().optional().describe('The run that no longer found it.'),
    annotationId: z.string().optional().describe('The suggestion on the document that stands for it.'),
  }),
);

const sighting = z.object({
  executionId: z.string(),
  startedAt: z.number().describe('Epoch milliseconds.'),
  agentVersion: z.number(),
  severity,
  comparison: z.enum(['new', 'still_there']).optional(),
  decision: z.enum(['accepted', 'rejected', 'resolved']).optional().describe('As of that run.'),
});

/** All that is known about a finding. */
export const findingDetail = z.object({
  finding: findingRecord,
  screenshot: pageScreenshot
    .optional()
    .describe('Picture of the page in the last run that saw it, in whose coordinates its position is.'),
  history: z.array(sighting).describe('The runs that saw it, newest first, up to 50.'),
});

const rectangle = named(
  'Rectangle',
  z.object({ x: z.number(), y: z.number(), width: z.number(), height: z.number() }),
);

/** A small picture of the place of a finding. */
export const findingPicture = named(
  'FindingPicture',
  z.object({
    mimeType: z.literal('image/webp'),
    base64: z.string().describe('The picture, of at most 150,000 bytes.'),
    width: z.int().describe('In pixels of the picture, at most 1,024.'),
    height: z.int().describe('In pixels of the picture, at most 1,024.'),
    scale: z.number().describe('Pixels of the picture for each CSS pixel of the page.'),
    area: rectangle.describe(
      'The part of the page that is shown, in CSS pixels from the top left of the document.',
    ),
    box: rectangle
      .optional()
      .describe(
        'The element of the finding, as far as it is shown, in pixels of the picture. Absent if the finding is about the whole page, has no position, or is outside of the captured part; the top of the page is shown then.',
      ),
  }),
);
export type FindingPicture = z.infer<typeof findingPicture>;

const conditions = {
  organizationId: organizationId.optional(),
  documentId: documentId.optional().describe('Requires organizationId.'),
  agentId: agentId.optional(),
  executionId: executionId.optional().describe('Only findings that this run saw.'),
  reviewId: reviewId.optional().describe('Only findings that the runs of this review saw.'),
  pageUrl: z
    .string()
    .max(2_000)
    .refine((url) => URL.canParse(url), { error: 'must be an absolute URL' })
    .optional()
    .describe('Only findings on this page; a fragment makes no difference.'),
  severity: oneOrMore(severity).optional(),
  issueType: oneOrMore(z.string().min(1).max(200)).optional(),
  decision: oneOrMore(decision)
    .optional()
    .describe('Defaults to findings that are open: `undecided` and `accepted` ones.'),
  state: oneOrMore(state)
    .optional()
    .describe('Defaults to findings that are there: `new` and `still_there` ones.'),
  fingerprint: z
    .string()
    .min(1)
    .max(100)
    .optional()
    .describe('Only findings with this fingerprint, by default of every decision and state.'),
  text: z
    .string()
    .min(1)
    .max(500)
    .optional()
    .describe('Words in the title, quote, suggestion or address, in any letter case.'),
  since: at.optional().describe('Only findings that were last seen then or later, in epoch milliseconds.'),
  until: at.optional().describe('Only findings that were last seen then or earlier.'),
};

const namesWholeDocument = ({
  organizationId,
  documentId,
}: {
  organizationId?: string | undefined;
  documentId?: string | undefined;
}): boolean => documentId === undefined || organizationId !== undefined;
const WITHOUT_ORGANIZATION = { path: ['organizationId'], error: 'is required where a document is named' };

export const findingFilter = z
  .strictObject({ ...conditions, pageSize: pageSize(500, 100), pageToken: pageToken.optional() })
  .refine(namesWholeDocument, WITHOUT_ORGANIZATION);

export const findingConditions = z.strictObject(conditions).refine(namesWholeDocument, WITHOUT_ORGANIZATION);
export type FindingConditions = z.output<typeof findingConditions>;

const count = z.number().int();

/** An object with the same value for each of some names. */
const forEach = <N extends string, V>(names: readonly N[], value: V): Record<N, V> =>
  Object.fromEntries(names.map((name) => [name, value])) as Record<N, V>;

export const findingCounts = z.object({
  total: count,
  byDecision: z.object(forEach(decision.options, count)),
  bySeverity: z.object(forEach(severity.options, count)),
});
export type FindingCounts = z.infer<typeof findingCounts>;

export const noFindings = (): FindingCounts => ({
  total: 0,
  byDecision: forEach(decision.options, 0),
  bySeverity: forEach(severity.options, 0),
});

export const findingDecision = named(
  'FindingDecision',
  z.strictObject({
    findingIds: z.array(findingId).min(1).max(100),
    decision: decision.describe('`undecided` takes a decision back.'),
    reason: z.string().trim().min(1).max(10_000).optional().describe('Why, in words of the person.'),
    actionUser: z
      .strictObject({
        userId: callerAssignedId,
        name: z.string().max(1_000).optional(),
        email: z.string().max(1_000).optional(),
      })
      .optional()
      .describe('The person who decides. A user token stands for its own user.'),
  }),
);
export type FindingDecision = z.output<typeof findingDecision>;

export const decidedFindings = z.record(
  z.string(),
  itemResult.extend({
    code: z.string().optional().describe('Machine-readable error code: `not-found`, `failed-precondition`.'),
    annotationId: annotationId.optional().describe('The suggestion that was decided with it.'),
  }),
);
export type DecidedFindings = z.infer<typeof decidedFindings>;
