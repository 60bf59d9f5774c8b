import { z } from 'zod';
import { memoryScopes } from '../memory/judgment.ts';

export const severities = ['critical', 'high', 'medium', 'low', 'info'] as const;
export const severity = z.enum(severities);
export type Severity = z.infer<typeof severity>;

/** An entry of the memory that a finding rests on. */
export const grounding = z.object({
  kind: z.enum(['rule', 'chunk', 'pattern', 'judgment']),
  id: z.string().describe('Of the rule, the chunk or the pattern; of a judgment its recordId.'),
  sourceId: z.string().optional().describe('The knowledge source that the rule or chunk is of.'),
  section: z.string().describe('Where it stands: the file and its heading, or what it is.'),
  quote: z.string().optional().describe('How the rule or chunk begins.'),
});
export type Grounding = z.infer<typeof grounding>;

/** A decision that a finding was weighed against. */
const precedentJudgment = z.object({
  recordId: z.string().describe('memory/judgments/delete revokes it.'),
  decision: z.string(),
  annotationId: z.string().nullable(),
  similarity: z.number().describe('Cosine of what was decided on and the finding.'),
  createdAt: z.number().describe('Epoch milliseconds.'),
});

/** Decisions of reviewers on similar findings. */
export const precedent = z.object({
  scope: z.enum(memoryScopes).describe('Where they decided.'),
  rejected: z.number().describe('Findings like this one that were rejected.'),
  approved: z.number(),
  note: z.string().describe('The same in a sentence.'),
  judgments: z.array(precedentJudgment).describe('The closest of the decisions, up to 10.'),
});
export type Precedent = z.infer<typeof precedent>;

/** One thing that an agent found on one page. */
export const finding = z.object({
  id: z.string().describe('`finding-1`, numbered within a page.'),
  title: z.string(),
  description: z.string(),
  severity,
  targetText: z.string().describe('The words it is about; empty where it is not about words.'),
  occurrence: z.number().int().min(1).describe('Which occurrence of targetText on the page, from 1.'),
  context: z
    .object({ before: z.string(), after: z.string() })
    .optional()
    .describe('Words around targetText on the page, where its text was gathered.'),
  sourceUrl: z.string().describe('The page it was found on.'),
  suggestion: z.string().describe('What to do about it.'),
  htmlSelector: z.string().describe('CSS selector of the element; empty where there is none.'),
  targetElementXpath: z.string(),
  htmlSnippet: z.string().optional(),
  isPageLevel: z.boolean(),
  issueType: z.string().describe('A lower-case, hyphenated tag: `broken-link`, `spelling`.'),
  findingType: z.enum(['text', 'pin', 'page']),
  confidence: z.number().min(0).max(100),
  source: z
    .enum(['instructions', 'knowledge'])
    .describe('`knowledge` where it rests on what the memory gave the reviewer.'),
  knowledgeSection: z.string().optional().describe('What that was, in words.'),
  groundedBy: z.array(grounding).optional().describe('What that was, each piece of it.'),
  precedent: precedent
    .optional()
    .describe('Of a grave finding that would have been held back if it were less grave.'),
  url: z.string().optional().describe('The address it is about, of a broken link for example.'),
  statusCode: z.number().int().optional(),
  errorType: z.enum(['http_error', 'timeout', 'network_error', 'auth_required', 'unknown']).optional(),
  position: z
    .object({ x: z.number(), y: z.number(), width: z.number(), height: z.number() })
    .optional()
    .describe("Where the element lies in the run's viewport, in CSS px from the document's top left."),
  artifactId: z.string().optional().describe('A kept file that shows it, such as a screenshot.'),
  commentId: z.string().optional().describe('The annotation made of it, by this run or an earlier one.'),
  comparison: z
    .enum(['new', 'still_there'])
    .optional()
    .describe('Whether the last run had it on this page as well; missing where there was none.'),
});
export type Finding = z.infer<typeof finding>;

/** A finding that is not reported, since reviewers keep rejecting such. */
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
 * A finding as a service or model reports it, before the engine numbers it and fills what is missing.
 * A confidence left out counts as 100 for services and 50 for models.
 */
export type DraftFinding = Pick<Finding, 'title' | 'description' | 'severity' | 'issueType'> &
  Partial<Finding>;
