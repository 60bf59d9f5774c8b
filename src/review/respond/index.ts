import { isObject } from '../../lib/json.ts';
import type { RunOutcome } from '../../shapes/agents/run.ts';
import type { PageRow } from '../../store/agents/execution-pages.ts';
import { accessibilityCheckerResponse } from './accessibility-checker-response.ts';
import { brokenLinksResponse } from './broken-links-response.ts';
import { crawlerResponse } from './crawler-response.ts';
import { ogImageCheckerResponse } from './og-image-checker-response.ts';
import type { ResponseAdapter } from './response-adapter.ts';
import { screenshotResponse } from './screenshot-response.ts';

export const responseAdapters: readonly ResponseAdapter[] = [
  brokenLinksResponse,
  crawlerResponse,
  screenshotResponse,
  accessibilityCheckerResponse,
  ogImageCheckerResponse,
];

/** Every name that `response.responseAdapter` may hold. */
export const responseAdapterNames: readonly string[] = responseAdapters.map(({ name }) => name);

/** The fields that the agent's response adapter adds to an execution; none without an adapter. */
export function adaptResponse(
  name: string | undefined,
  pages: readonly PageRow[],
): Pick<RunOutcome, 'crawlerResults' | 'response'> {
  const adapter = responseAdapters.find((known) => known.name === name);
  if (!adapter) return {};
  const completed = pages
    .filter((page) => page.status === 'completed')
    .map((page) => ({
      url: page.url,
      result: { findings: page.findings, data: page.detail.data },
    }));
  const response = adapter.respond(completed);
  return adapter.onExecution && isObject(response.crawlerResults)
    ? { crawlerResults: response.crawlerResults }
    : { response };
}
