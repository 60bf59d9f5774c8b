import { z } from 'zod';
import { requireReadableExecution } from '../../../access/readable-executions.ts';
import { read } from '../../../http/endpoint.ts';
import { pageOf } from '../../../lib/cursor.ts';
import { artifactLinks } from '../../../review/run/artifact-links.ts';
import { withSuggestions } from '../../../review/run/read-execution.ts';
import { findingForUser } from '../../../review/run/show-to-user.ts';
import { finding, severity } from '../../../shapes/agents/execution.ts';
import { executionId } from '../../../shapes/id-fields.ts';
import { pageSize, pageToken } from '../../../shapes/page-fields.ts';
import { listFindings } from '../../../store/agents/execution-findings.ts';
import { positionOfPage } from '../../../store/agents/execution-pages.ts';

export default read({
  path: '/v2/agents/execution/findings',
  auth: 'apiKeyOrUser',
  summary: 'List the findings of an execution, also while it runs.',
  description:
    'In the order of the pages. Conditions are combined. A user does not get what findings were compared with or based on.',
  data: z
    .strictObject({
      executionId,
      causeId: z.string().min(1).max(100).optional().describe('Only the places of this cause.'),
      url: z.string().min(1).max(2_000).optional().describe('Only findings on this page.'),
      severity: severity.optional(),
      comparison: z.enum(['new', 'still_there']).optional(),
      open: z.literal(true).optional().describe('Only findings that no person has rejected or resolved.'),
      pageSize: pageSize(500, 100),
      pageToken: pageToken.optional(),
    })
    .meta({
      examples: [{ executionId: 'exec_1767260000000_1a2B3cD4eF5g', comparison: 'new', open: true }],
    }),
  result: z.object({ findings: z.array(finding), nextPageToken: z.string().optional() }),
  message: 'Findings fetched successfully',
  failures: { NOT_FOUND: 'The execution does not exist.' },

  async handle({ executionId, url, pageSize, pageToken, ...filter }, { caller, db, keyring, origin }) {
    const row = await requireReadableExecution(db, caller, executionId);
    const ref = { apiKeyId: caller.apiKeyId, executionId };
    const pagePosition = url === undefined ? undefined : await positionOfPage(db, ref, url);
    if (url !== undefined && pagePosition === undefined) return { findings: [] };
    const list = ['execution findings', caller.apiKeyId, executionId, JSON.stringify({ url, ...filter })];
    const { rows, next } = await pageOf(
      { keyring, list, pageToken, pageSize },
      ({ after, limit }) => {
        const position = after && { pagePosition: Number(after[0]), number: Number(after[1]) };
        return listFindings(db, ref, { ...filter, pagePosition }, limit, position);
      },
      (row) => [row.pagePosition, row.number],
    );
    const found = await withSuggestions(
      db,
      row,
      rows.map(({ body }) => body),
    );
    const shown = caller.user && findingForUser(artifactLinks(keyring, origin, caller.apiKeyId));
    return {
      findings: shown ? found.map(shown) : found,
      ...(next !== undefined && { nextPageToken: next }),
    };
  },
});
