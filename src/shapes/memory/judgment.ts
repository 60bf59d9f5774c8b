import { z } from 'zod';
import { userId } from '../id-fields.ts';
import { named } from '../named.ts';

export const decisions = [
  'approve',
  'reject',
  'comment',
  'resolve',
  'in_progress',
  'agree',
  'disagree',
  'endorse',
] as const;
export const decision = named('Decision', z.enum(decisions));
export type Decision = z.infer<typeof decision>;

/** Past-tense synonyms, which filters also accept. */
const pastTense: Record<string, Decision> = {
  approved: 'approve',
  rejected: 'reject',
  commented: 'comment',
  resolved: 'resolve',
  agreed: 'agree',
  disagreed: 'disagree',
  endorsed: 'endorse',
  document_approved: 'approve',
  document_rejected: 'reject',
};

export const decisionFilter = z
  .enum([...decisions, ...Object.keys(pastTense)] as [string, ...string[]])
  .transform((word): Decision => pastTense[word] ?? (word as Decision));

/** The side that a decision supports; undefined if it supports none. */
export const sideOf = (decision: string): 'approve' | 'reject' | undefined =>
  ['approve', 'agree', 'endorse'].includes(decision)
    ? 'approve'
    : ['reject', 'disagree'].includes(decision)
      ? 'reject'
      : undefined;

/** Decisions that support a side. */
export const sidedDecisions: readonly Decision[] = decisions.filter((word) => sideOf(word) !== undefined);

export const judgeType = z.enum(['human', 'agent']);
export type JudgeType = z.infer<typeof judgeType>;

export const memoryScopes = ['document', 'organization', 'apiKey'] as const;
export type MemoryScope = (typeof memoryScopes)[number];

export const scopeLabels: Record<MemoryScope, string> = {
  document: 'This document',
  organization: 'This organization',
  apiKey: 'All content',
};

/** Place of judgments: an organization, or a document together with its organization. */
export interface MemoryPlace {
  organizationId?: string | undefined;
  documentId?: string | undefined;
}

export const scopeOf = ({ organizationId, documentId }: MemoryPlace): MemoryScope =>
  documentId !== undefined ? 'document' : organizationId !== undefined ? 'organization' : 'apiKey';

/** Filters of judgments, in addition to their place. */
export interface JudgmentFilters {
  decision?: Decision | undefined;
  /** Matches any of these. */
  decisions?: readonly Decision[] | undefined;
  judgeType?: JudgeType | undefined;
  contentType?: string | undefined;
  reviewerId?: string | undefined;
  annotationId?: string | undefined;
  /** Epoch milliseconds; both ends are inclusive. */
  from?: number | undefined;
  to?: number | undefined;
  excludeDocumentIds?: readonly string[] | undefined;
  /** Leaves out what AI assistants judged for people. */
  withoutAssistants?: true | undefined;
}

export const contentType = z.string().min(1).max(200).describe('Type of the reviewed content.');

/** The author of a decision. */
export const judge = z.object({
  userId,
  name: z.string().max(1_000).optional(),
  email: z.string().max(1_000).optional(),
});
export type Judge = z.infer<typeof judge>;

/** A judgment in results. */
export const judgmentRecord = named(
  'Judgment',
  z.object({
    recordId: z.string(),
    reasoning: z.string(),
    decision: z
      .string()
      .describe(
        '`approve`, `reject`, `comment`, `resolve`, `in_progress`, `agree`, `disagree` or `endorse`.',
      ),
    confidence: z.number().describe('How certain the reviewer was, from 0 to 1; 1 if unknown.'),
    actionUser: z.looseObject({ userId: z.string(), name: z.string() }).describe('User who decided.'),
    createdAt: z.number().describe('Epoch milliseconds.'),
    scope: z.enum(memoryScopes).describe('The narrowest scope of the judgment.'),
    agent: z
      .looseObject({})
      .nullable()
      .describe(
        'The agent that decided; null if a user decided. `isAssistant` is true for an AI assistant that acted for `actionUser`; then `agentName` is its name.',
      ),
    judgeType,
    contentType: z.string().nullable(),
    content: z.string().nullable().describe('The reviewed content, if known. Long content is truncated.'),
    organizationId: z.string().nullable(),
    documentId: z.string().nullable(),
    annotationId: z.string().nullable(),
    origin: z
      .enum(['import', 'suggestion', 'status', 'comment', 'finding'])
      .describe(
        'Source of the judgment: an import, a decision on a suggestion, a status change, a comment, or a finding of an agent.',
      ),
  }),
);
export type JudgmentRecord = z.infer<typeof judgmentRecord>;
