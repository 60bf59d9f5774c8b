import { z } from 'zod';
import { withOtherProblems } from '../all-problems.ts';
import {
  agentId,
  annotationId,
  callersOwnId,
  documentId,
  executionId,
  organizationId,
} from '../id-fields.ts';
import { contentType, decisionFilter, judge, judgeType } from './judgment.ts';

/** Most judgments of one call. */
export const MAX_JUDGMENTS = 500;
const MOST_OF_AGENT = 20_000;
/** Bytes that the ids of one may take together: an index of the database holds all of them in one entry. */
const MOST_OF_IDS = 2_400;

const agent = z
  .looseObject({
    agentId: agentId.optional(),
    agentType: z.string().max(200).optional(),
    executionId: executionId.optional(),
    url: z.string().max(10_000).optional(),
  })
  .refine((value) => JSON.stringify(value).length <= MOST_OF_AGENT, {
    error: `must take at most ${MOST_OF_AGENT} characters as JSON`,
  })
  .describe('The agent that judged; further fields are kept as they are.');

export const recordId = callersOwnId.describe('Judgment: the id that the caller gave it, or one of ours.');

/** A judgment that comes from elsewhere. */
export const newJudgment = z
  .object({
    id: recordId
      .optional()
      .describe('Again with the same id, the judgment takes the place of the earlier one.'),
    organizationId: organizationId.optional().describe('Need not be there: an import is history.'),
    documentId: documentId.optional().describe('Needs organizationId.'),
    annotationId: annotationId.optional(),
    decision: decisionFilter,
    reasoning: z.string().max(20_000).describe('Why.'),
    content: z.string().max(100_000).optional().describe('What was reviewed.'),
    contentType: contentType.optional(),
    confidence: z.number().min(0).max(1).optional().describe('How sure the judge was.'),
    judgeType: judgeType.default('human'),
    actionUser: judge.describe('Who decided.'),
    agent: agent.optional(),
    createdAt: z
      .number()
      .int()
      .min(0)
      .max(8_640_000_000_000_000)
      .optional()
      .describe('When it was made, in epoch milliseconds; by default, now.'),
  })
  .refine(({ organizationId, documentId }) => documentId === undefined || organizationId !== undefined, {
    ...withOtherProblems,
    path: ['organizationId'],
    error: 'is required where a document is named',
  })
  .refine(
    ({ id = '', organizationId = '', documentId = '', annotationId = '' }) =>
      Buffer.byteLength(id + organizationId + documentId + annotationId) <= MOST_OF_IDS,
    { path: ['id'], error: `must take at most ${MOST_OF_IDS} bytes together with the ids of its place` },
  );
export type NewJudgmentInput = z.output<typeof newJudgment>;
