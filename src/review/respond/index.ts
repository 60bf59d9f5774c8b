import type { Db } from '../../db/tables.ts';
import type { RunOutcome } from '../../shapes/agents/run.ts';
import {
  countFindings,
  countFindingsBy,
  firstFindings,
  gravestFindings,
} from '../../store/agents/execution-findings.ts';
import type { RunRef } from '../../store/agents/execution-leases.ts';
import { listPagesFrom } from '../../store/agents/execution-pages.ts';
import { accessibilityCheckerResponse } from './accessibility-checker-response.ts';
import { brokenLinksResponse } from './broken-links-response.ts';
import { crawlerResponse } from './crawler-response.ts';
import { ogImageCheckerResponse } from './og-image-checker-response.ts';
import { type CompletedPage, MAX_LISTED, type ResponseAdapter } from './response-adapter.ts';
import { screenshotResponse } from './screenshot-response.ts';

const PAGES_AT_ONCE = 100;
const FINDINGS_PER_PAGE = 20;

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
export async function adaptResponse(
  db: Db,
  ref: RunRef,
  name: string | undefined,
): Promise<Pick<RunOutcome, 'crawlerResults' | 'response'>> {
  const adapter = responseAdapters.find((known) => known.name === name);
  if (!adapter) return {};
  const counts = await countFindings(db, ref);
  const response = await adapter.respond(completedPages(db, ref), {
    total: counts.reduce((sum, { count }) => sum + count, 0),
    gravest: await gravestFindings(db, ref, MAX_LISTED, { having: adapter.having }),
    byErrorType: await countErrors(db, ref),
  });
  return adapter.onExecution ? response : { response };
}

async function countErrors(db: Db, ref: RunRef): Promise<Record<string, number>> {
  const { '': _without, ...counts } = await countFindingsBy(db, ref, 'errorType', '');
  return counts;
}

/** Reads pages in parts, since a run may have thousands. */
async function* completedPages(db: Db, ref: RunRef): AsyncGenerator<CompletedPage> {
  for (let from = 0; ; ) {
    const pages = await listPagesFrom(db, ref, from, PAGES_AT_ONCE);
    const last = pages.at(-1);
    if (!last) return;
    from = last.position + 1;
    const completed = pages.filter(({ status }) => status === 'completed');
    const positions = completed.map(({ position }) => position);
    const found = Map.groupBy(
      positions.length > 0 ? await firstFindings(db, ref, positions, FINDINGS_PER_PAGE) : [],
      ({ pagePosition }) => pagePosition,
    );
    for (const { url, position, detail } of completed) {
      const findings = (found.get(position) ?? []).map(({ body }) => body);
      yield { url, result: { findings, data: detail.data } };
    }
  }
}
