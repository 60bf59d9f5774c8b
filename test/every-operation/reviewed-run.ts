import type { Finding } from '../../src/shapes/agents/execution.ts';
import { groupCauses } from '../../src/store/agents/execution-causes.ts';
import { planPages, writePage } from '../../src/store/agents/execution-pages.ts';
import { type TestWorkspace, testApp } from '../harness.ts';

/** Stores results of two pages, with a finding of its own cause on each, in an execution that no worker runs. */
export async function addResults(
  w: TestWorkspace,
  executionId: string,
  url: string,
  mark: string,
  more: Partial<Finding> = {},
) {
  const { deps } = await testApp();
  const ref = { apiKeyId: w.apiKeyId, executionId };
  const urls = ['1', '2'].map((name) => `${url}${mark}/${name}`);
  await deps.db.transaction().execute(async (tx) => {
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
    }
    await groupCauses(tx, ref, new Map(), { areAnnotated: false });
  });
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
