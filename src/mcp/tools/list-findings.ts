import { z } from 'zod';
import type { AgentsFindingsListRequest, FindingRecord } from '../../../packages/client/src/operations.ts';
import { plural } from '../../lib/text/plural.ts';
import { severities } from '../../shapes/agents/execution.ts';
import type { Service } from '../service/reach-service.ts';
import type { Answer } from '../text/answer.ts';
import { dataBlock } from '../text/data-block.ts';
import { findingFields, findingLine } from '../text/finding-text.ts';
import { listWithin } from '../text/list-within.ts';
import { READS, tool } from './tool.ts';

export const cursor = z.string().min(1).max(2_000).optional().describe('From the previous answer.');
export const limit = z.int().min(1).max(50).default(20);

/** The place of findings, by the ids that overview shows. */
export const place = {
  organizationId: z.string().min(1).max(200).optional(),
  documentId: z.string().min(1).max(200).optional().describe('Needs organizationId.'),
};

const decisions = ['undecided', 'accepted', 'rejected', 'resolved'] as const;

/** One page of findings, as text and for programs, within the limit of answers. */
export const listedFindings = (
  service: Service,
  filter: Omit<AgentsFindingsListRequest, 'pageSize' | 'pageToken'>,
  { cursor, limit }: { cursor?: string | undefined; limit: number },
  /** Lines before and after the list. */
  around: { before: readonly string[]; after?: readonly string[]; structured?: Record<string, unknown> },
): Promise<Answer> =>
  listWithin<FindingRecord>(
    async (pageSize) => {
      const request = { ...filter, pageSize, ...(cursor !== undefined && { pageToken: cursor }) };
      const { findings, nextPageToken } = await service.call('/v2/agents/findings/list', request);
      return { items: findings, next: nextPageToken };
    },
    limit,
    ({ items, next }) => ({
      text: [
        ...around.before,
        ...(items.length === 0 ? [] : [dataBlock('findings', items.map(findingLine).join('\n'))]),
        ...(next === undefined ? [] : [`There are more: call again with cursor ${next}`]),
        ...(around.after ?? []),
      ].join('\n'),
      structured: {
        ...around.structured,
        findings: items.map(findingFields),
        ...(next !== undefined && { nextCursor: next }),
      },
    }),
  );

export const listFindings = tool({
  name: 'list_findings',
  title: 'List findings',
  description:
    'Findings of all reviews, last seen first, one line each; only open ones unless decision says otherwise.',
  input: z.strictObject({
    ...place,
    pageUrl: z.url().max(2_000).optional(),
    severity: z.array(z.enum(severities)).min(1).optional(),
    rule: z.string().min(1).max(200).optional().describe('Such as broken-link.'),
    agentId: z.string().min(1).max(200).optional(),
    text: z.string().min(1).max(500).optional().describe('Words in title, quote or address.'),
    decision: z.array(z.enum(decisions)).min(1).optional().describe('Default: undecided, accepted.'),
    cursor,
    limit,
  }),
  annotations: READS,
  hints: { NOT_FOUND: 'overview shows the organizations and documents.' },
  async run({ cursor, limit, rule, ...filter }, { service }) {
    const conditions = { ...filter, ...(rule !== undefined && { issueType: rule }) };
    const counted = cursor === undefined ? await countOf(service, conditions) : [];
    return await listedFindings(service, conditions, { cursor, limit }, { before: counted });
  },
});

async function countOf(service: Service, filter: AgentsFindingsListRequest): Promise<string[]> {
  const { total } = await service.call('/v2/agents/findings/count', filter);
  return [
    total === 0
      ? 'No finding fits. Without decision, only open findings count; review_page starts a new review.'
      : `${plural(total, 'finding')}. get_finding shows the evidence of one.`,
  ];
}
