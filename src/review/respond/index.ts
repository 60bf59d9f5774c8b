import { type Fields, isObject } from '../../lib/json.ts';
import type { RunOutcome } from '../../shapes/agents/run.ts';
import type { PageRow } from '../../store/agents/execution-pages.ts';
import type { TaskResult } from '../core/execute-task.ts';
import { accessibilityCheckerResponse } from './accessibility-checker-response.ts';
import { brokenLinksResponse } from './broken-links-response.ts';
import { crawlerResponse } from './crawler-response.ts';
import { ogImageCheckerResponse } from './og-image-checker-response.ts';
import { screenshotResponse } from './screenshot-response.ts';

type Adapter = (results: { url: string; result: TaskResult }[]) => Fields;

const adapters: Record<string, Adapter> = {
  'accessibility-checker-response': accessibilityCheckerResponse,
  'broken-links-response': brokenLinksResponse,
  'crawler-response': crawlerResponse,
  'og-image-checker-response': ogImageCheckerResponse,
  'screenshot-response': screenshotResponse,
};

/** What the agent's response adapter makes of a run; nothing without one. */
export function respond(
  name: string | undefined,
  pages: PageRow[],
): Pick<RunOutcome, 'crawlerResults' | 'response'> {
  const adapter = name === undefined ? undefined : adapters[name];
  if (!adapter) return {};
  const results = pages
    .filter((page) => page.status === 'completed')
    .map((page) => ({
      url: page.url,
      result: { findings: page.findings, data: page.detail.data },
    }));
  const adapted = adapter(results);
  return isObject(adapted.crawlerResults)
    ? { crawlerResults: adapted.crawlerResults }
    : { response: adapted };
}
