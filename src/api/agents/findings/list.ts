import { z } from 'zod';
import { read } from '../../../http/endpoint.ts';
import { pageOf } from '../../../lib/cursor.ts';
import { recordFilterOf } from '../../../review/findings/record-filter.ts';
import { showFindings } from '../../../review/findings/show-findings.ts';
import { findingFilter, findingRecord } from '../../../shapes/agents/finding-record.ts';
import { listFindingRecords } from '../../../store/agents/finding-records.ts';

export default read({
  path: '/v2/agents/findings/list',
  auth: 'apiKey',
  summary: 'List findings over all runs, by default those that are open and still there.',
  description:
    'A finding that several runs saw is one entry, as it was last seen. Those last seen come first. Conditions are combined; a list has alternatives. agents/execution/findings lists the findings of one run as the run saw them.',
  data: findingFilter.meta({
    examples: [
      { pageUrl: 'https://example.com/pricing' },
      {
        organizationId: 'acme',
        documentId: 'website',
        severity: ['critical', 'high'],
        decision: 'undecided',
      },
    ],
  }),
  result: z.object({ findings: z.array(findingRecord), nextPageToken: z.string().optional() }),
  message: 'Findings listed successfully',

  async handle({ pageSize, pageToken, ...filter }, { caller, db, keyring }) {
    const { apiKeyId } = caller;
    const list = ['findings', apiKeyId, JSON.stringify(filter)];
    const { rows, next } = await pageOf(
      { keyring, list, pageToken, pageSize },
      ({ after, limit }) =>
        listFindingRecords(
          db,
          apiKeyId,
          recordFilterOf(filter),
          limit,
          after && { lastSeenAt: Number(after[0]), findingId: String(after[1]) },
        ),
      ({ lastSeenAt, findingId }) => [lastSeenAt, findingId],
    );
    return {
      findings: await showFindings(db, apiKeyId, rows),
      ...(next !== undefined && { nextPageToken: next }),
    };
  },
});
