import type { Redpen } from '@redpen/client';
import type { Decision, ListedFinding } from './listed-finding.ts';

const MOST = 2_000;
const DECISIONS: Decision[] = ['undecided', 'accepted', 'rejected', 'resolved'];

export interface FindingsQuery {
  executionId: string | undefined;
  pageUrl: string | undefined;
  organizationId: string | undefined;
  documentId: string | undefined;
}

/** Reads findings with all decisions. A user may read those of a run on a document; lists over runs are for API keys. */
export async function loadFindings(
  client: Redpen,
  { executionId, pageUrl, organizationId, documentId }: FindingsQuery,
): Promise<readonly ListedFinding[]> {
  if (client.connection.tokens) {
    if (executionId === undefined)
      throw new TypeError('With a token of a user, findings need an execution-id.');
    const ofRun = { executionId, ...(pageUrl && { url: pageUrl }) };
    const findings = await client.executions.findings.all(ofRun, { max: MOST });
    // Findings are numbered within their pages.
    return findings.map((finding, at) => ({ ...finding, id: `${at} ${finding.id}` }));
  }
  const place = executionId === undefined ? { organizationId, documentId } : { executionId };
  const data = { ...place, ...(pageUrl && { pageUrl }), decision: DECISIONS, pageSize: 500 };
  return await client.findings.all(data, { max: MOST });
}
