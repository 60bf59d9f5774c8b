import { z } from 'zod';
import { withOtherProblems } from '../all-problems.ts';
import {
  agentId,
  annotationId,
  callerAssignedId,
  documentId,
  executionId,
  organizationId,
} from '../id-fields.ts';
import { named } from '../named.ts';
import { contentType, decisionFilter, judge, judgeType } from './judgment.ts';

/** Maximum number of judgments in one request. */
export const MAX_JUDGMENTS = 500;
const MAX_AGENT_CHARS = 20_000;
/** Maximum total bytes of a judgment's ids, because a database index contains all of them in one entry. */
const MAX_ID_BYTES = 2_400;

const agent = z
  .looseObject({
    agentId: agentId.optional(),
    agentType: z.string().max(200).optional(),
    executionId: executionId.optional(),
    url: z.string().max(10_000).optional(),
  })
  .refine((value) => JSON.stringify(value).length <= MAX_AGENT_CHARS, {
    error: `must take at most ${MAX_AGENT_CHARS} characters as JSON`,
  })
  .describe('The agent that decided. Additional fields are stored unchanged.');

export const recordId = callerAssignedId.describe('Judgment id, assigned by the caller or generated.');

/** A judgment of another system, to be imported. */
export const newJudgment = named(
  'NewJudgment',
  z
    .object({
      id: recordId.optional().describe('A judgment with the same id is replaced.'),
      organizationId: organizationId.optional().describe('The organization need not exist.'),
      documentId: documentId.optional().describe('Requires organizationId.'),
      annotationId: annotationId.optional(),
      decision: decisionFilter,
      reasoning: z.string().max(20_000).describe('Reason for the decision.'),
      content: z.string().max(100_000).optional().describe('The reviewed content.'),
      contentType: contentType.optional(),
      confidence: z.number().min(0).max(1).optional().describe('How certain the reviewer was, from 0 to 1.'),
      judgeType: judgeType.default('human'),
      actionUser: judge.describe('User who decided.'),
      agent: agent.optional(),
      createdAt: z
        .number()
        .int()
        .min(0)
        .max(8_640_000_000_000_000)
        .optional()
        .describe('When the decision was made, in epoch milliseconds. Defaults to now.'),
    })
    .refine(({ organizationId, documentId }) => documentId === undefined || organizationId !== undefined, {
      ...withOtherProblems,
      path: ['organizationId'],
      error: 'is required where a document is named',
    })
    .refine(
      ({ id = '', organizationId = '', documentId = '', annotationId = '' }) =>
        Buffer.byteLength(id + organizationId + documentId + annotationId) <= MAX_ID_BYTES,
      { path: ['id'], error: `must take at most ${MAX_ID_BYTES} bytes together with the ids of its place` },
    ),
);
export type NewJudgmentInput = z.output<typeof newJudgment>;
