import { md5 } from '../../src/lib/ids.ts';
import type { Finding } from '../../src/shapes/agents/execution.ts';
import { groupCauses } from '../../src/store/agents/execution-causes.ts';
import { planPages, writePage } from '../../src/store/agents/execution-pages.ts';
import { requireExecution } from '../../src/store/agents/executions.ts';
import { seeFindings } from '../../src/store/agents/finding-records.ts';
import { keepScreenshot, plainTile } from '../reviews/screenshots.ts';
import { type TestWorkspace, testApp } from '../service/harness.ts';

/**
 * Stores results of two pages, with a finding of its own cause on each, in an execution that no worker runs. Returns the
 * ids of the findings over all runs.
 */
export async function addResults(
  w: TestWorkspace,
  executionId: string,
  url: string,
  mark: string,
  more: Partial<Finding> = {},
): Promise<string[]> {
  const { deps } = await testApp();
  const ref = { apiKeyId: w.apiKeyId, executionId };
  const urls = ['1', '2'].map((name) => `${url}${mark}/${name}`);
  await deps.db.transaction().execute(async (tx) => {
    const { organizationId, documentId, agentId } = await requireExecution(tx, w, executionId);
    const document = documentId === '' ? undefined : { organizationId, documentId };
    await planPages(tx, ref, urls);
    for (const sourceUrl of urls) {
      const findings = [{ ...findingOn(sourceUrl, mark), ...more }];
      await writePage(tx, ref, {
        url: sourceUrl,
        status: 'completed',
        findings,
        annotationsCreated: 0,
        detail: { summary: mark },
      });
      const body = { ...findingOn(sourceUrl, mark), fingerprint: md5(`${executionId} ${sourceUrl}`) };
      await seeFindings(tx, { ...ref, agentId, pageUrl: sourceUrl, document }, [{ body }]);
    }
    await groupCauses(tx, ref, new Map(), { areAnnotated: false });
  });
  const rows = await deps.db
    .selectFrom('findingRecords')
    .select('findingId')
    .where('apiKeyId', '=', w.apiKeyId)
    .where('lastExecutionId', '=', executionId)
    .execute();
  return rows.map(({ findingId }) => findingId);
}

/** Stores results as `addResults` does, with a screenshot of the first page. Returns the id of the finding on it. */
export async function addPictured(
  w: TestWorkspace,
  executionId: string,
  url: string,
  mark: string,
): Promise<string> {
  const [findingId = ''] = await addResults(w, executionId, url, mark);
  await keepScreenshot(w, findingId, [await plainTile()]);
  return findingId;
}

const findingOn = (sourceUrl: string, mark: string): Finding => ({
  id: 'finding-1',
  causeId: sourceUrl,
  title: mark,
  description: mark,
  severity: 'low',
  targetText: mark,
  occurrence: 1,
  sourceUrl,
  suggestion: '',
  htmlSelector: '',
  targetElementXpath: '',
  isPageLevel: false,
  issueType: 'spelling',
  findingType: 'text',
  confidence: 90,
  source: 'instructions',
});
