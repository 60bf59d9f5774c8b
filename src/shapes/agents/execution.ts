import { z } from 'zod';
import { memoryScopes } from '../memory/judgment.ts';
import { named } from '../named.ts';

export const severities = ['critical', 'high', 'medium', 'low', 'info'] as const;
export const severity = named('Severity', z.enum(severities));
export type Severity = z.infer<typeof severity>;

/** A memory entry that a finding is based on. */
export const grounding = named(
  'Grounding',
  z.object({
    kind: z.enum(['rule', 'chunk', 'pattern', 'judgment']),
    id: z.string().describe('Id of the rule, chunk or pattern, or the recordId of a judgment.'),
    sourceId: z.string().optional().describe('Knowledge source of the rule or chunk.'),
    section: z.string().describe('File and heading of the entry, or its kind.'),
    quote: z.string().optional().describe('Beginning of the rule or chunk.'),
  }),
);
export type Grounding = z.infer<typeof grounding>;

/** A past decision that a finding was compared with. */
const precedentJudgment = named(
  'PrecedentJudgment',
  z.object({
    recordId: z.string().describe('The id of the judgment, as memory/judgments/delete takes it.'),
    decision: z.string(),
    annotationId: z.string().nullable(),
    similarity: z.number().describe('Cosine similarity between the reviewed item and the finding.'),
    createdAt: z.number().describe('Epoch milliseconds.'),
  }),
);

/** Decisions of reviewers on similar findings. */
export const precedent = named(
  'Precedent',
  z.object({
    scope: z.enum(memoryScopes).describe('Scope of the decisions.'),
    rejected: z.number().describe('Number of similar findings that were rejected.'),
    approved: z.number(),
    note: z.string().describe('The counts as a sentence.'),
    judgments: z.array(precedentJudgment).describe('The most similar decisions, up to 10.'),
  }),
);
export type Precedent = z.infer<typeof precedent>;

/** The person behind a decision. */
export const decider = named(
  'Decider',
  z.object({
    userId: z.string(),
    name: z.string(),
    assistant: z.string().optional().describe('Name of the AI assistant that decided for the person.'),
  }),
).describe('The person who decided; `system` for an API key that named no user.');

/** One thing that an agent found on one page. */
export const finding = named(
  'Finding',
  z.object({
    id: z.string().describe('`finding-1` and so on, numbered within a page.'),
    title: z.string(),
    description: z.string(),
    severity,
    targetText: z.string().describe('The text that the finding is about; empty if it is not about text.'),
    occurrence: z
      .number()
      .int()
      .min(1)
      .describe('Number of the occurrence of targetText on the page, from 1.'),
    quoteFound: z
      .literal(false)
      .optional()
      .describe(
        "Present if a model quoted words that the page's text does not have. Words in pictures cannot be verified.",
      ),
    context: z
      .object({ before: z.string(), after: z.string() })
      .optional()
      .describe("Text around targetText on the page, if the page's text was gathered."),
    sourceUrl: z.string().describe('URL of the page.'),
    suggestion: z.string().describe('Suggested fix.'),
    htmlSelector: z.string().describe('CSS selector of the element; empty if there is none.'),
    targetElementXpath: z.string(),
    htmlSnippet: z.string().optional(),
    isPageLevel: z.boolean(),
    issueType: z.string().describe('Lower-case, hyphenated tag, such as `broken-link` or `spelling`.'),
    findingType: z.enum(['text', 'pin', 'page']),
    confidence: z.number().min(0).max(100),
    source: z
      .enum(['instructions', 'knowledge'])
      .describe('`knowledge` if the finding is based on the memory.'),
    knowledgeSection: z
      .string()
      .optional()
      .describe('Description of the memory entries that the finding is based on.'),
    groundedBy: z.array(grounding).optional().describe('Memory entries that the finding is based on.'),
    precedent: precedent
      .optional()
      .describe('Present for a severe finding that would be held back if it were less severe.'),
    url: z
      .string()
      .optional()
      .describe('The address that the finding is about, such as that of a broken link.'),
    statusCode: z.number().int().optional(),
    errorType: z.enum(['http_error', 'timeout', 'network_error', 'auth_required', 'unknown']).optional(),
    position: named(
      'Position',
      z.object({ x: z.number(), y: z.number(), width: z.number(), height: z.number() }),
    )
      .optional()
      .describe(
        'Position of the element in the viewport of the run, in CSS pixels from the top left of the document.',
      ),
    outsideScreenshot: z
      .boolean()
      .optional()
      .describe('True if the position is outside of the captured part of the page.'),
    artifactId: z.string().optional().describe('Stored file that shows the finding, such as a screenshot.'),
    artifactUrl: z
      .string()
      .optional()
      .describe('In answers to a user token: a link to that file, valid for at least 45 minutes.'),
    commentId: z
      .string()
      .optional()
      .describe('The id of the annotation that this or an earlier run created for the finding.'),
    comparison: z
      .enum(['new', 'still_there'])
      .optional()
      .describe(
        '`still_there` if the previous run found it on this page too; absent if there was no previous run.',
      ),
    causeId: z
      .string()
      .optional()
      .describe(
        'Findings of a run with the same id have one cause, such as the same broken link on many pages.',
      ),
    decision: z
      .enum(['accepted', 'rejected', 'resolved'])
      .optional()
      .describe('What a person decided about it earlier. Rejected and resolved findings are not open.'),
    decidedBy: decider.optional(),
    reason: z.string().optional().describe('The reason that the person gave.'),
    decidedAt: z.number().optional().describe('Time of the decision, in epoch milliseconds.'),
    fingerprint: z
      .string()
      .optional()
      .describe(
        'The same in all runs of the agent on the page, for the same fault, even if its words change.',
      ),
  }),
);
export type Finding = z.infer<typeof finding>;

/** True for a finding that no person has rejected or resolved. */
export const isOpen = ({ decision }: Pick<Finding, 'decision'>): boolean =>
  decision !== 'rejected' && decision !== 'resolved';

/** One place of a cause: a finding without the fields that all places share. */
export const causePlace = named(
  'Place',
  finding
    .pick({
      id: true,
      sourceUrl: true,
      targetText: true,
      occurrence: true,
      htmlSelector: true,
      htmlSnippet: true,
      position: true,
      comparison: true,
      decision: true,
      commentId: true,
    })
    .partial({ targetText: true, occurrence: true, htmlSelector: true }),
);
export type CausePlace = z.infer<typeof causePlace>;

/** The first finding of a cause, in the words that fit all of its places. */
export const causeFields = finding.pick({
  title: true,
  description: true,
  severity: true,
  issueType: true,
  suggestion: true,
  confidence: true,
  url: true,
  decision: true,
  decidedBy: true,
  reason: true,
});
export type Cause = z.infer<typeof causeFields>;

/** A cause of findings in several places. */
export const cause = named(
  'Cause',
  causeFields.extend({
    id: z.string(),
    places: z.number().describe('Number of places, that is, of findings.'),
    pages: z.number().describe('Number of pages with such a place.'),
    openPlaces: z.number().describe('Number of places that no person has rejected or resolved.'),
    newPlaces: z.number().describe('Number of places that the previous run did not have.'),
    fixedPlaces: z.number().describe('Number of places of the previous run that are gone.'),
    comparison: z
      .enum(['new', 'still_there'])
      .optional()
      .describe('`new` if all places are. Absent if there was no previous run.'),
    commentId: z.string().optional().describe('The id of its annotation.'),
    examples: z
      .array(causePlace)
      .describe('The first places; agents/execution/findings returns all of them.'),
  }),
);

/** A finding that is not reported, because reviewers keep rejecting similar ones. */
export const heldBack = finding
  .pick({
    id: true,
    title: true,
    description: true,
    severity: true,
    issueType: true,
    targetText: true,
    sourceUrl: true,
    url: true,
  })
  .extend({ precedent });
export type HeldBack = z.infer<typeof heldBack>;

/**
 * A finding as a service or model reports it, before the engine numbers it and adds missing fields. The default
 * confidence is 100 for services and 50 for models.
 */
export type DraftFinding = Pick<Finding, 'title' | 'description' | 'severity' | 'issueType'> &
  Partial<Finding> & {
    /** Names the cause, if the rule knows it; equal for all findings with this cause on a site. */
    cause?: string;
  };
