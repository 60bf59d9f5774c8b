import { plural } from '../../lib/text/plural.ts';
import type { Outside } from '../../outside/outside.ts';
import type { DraftFinding } from '../../shapes/agents/execution.ts';
import { holdLease } from '../../store/agents/execution-leases.ts';
import { listOutcomes, listPagesFrom } from '../../store/agents/execution-pages.ts';
import { getExecution } from '../../store/agents/executions.ts';
import type { RunContext } from '../core/execution-strategy.ts';
import type { RunLease } from '../core/run-lease.ts';
import { followsLinks, phaseTimeoutOf, type Run } from '../core/run-state.ts';
import { withTimeout } from '../core/with-timeout.ts';
import type { ReviewedSite, SiteRules } from '../services/review-service.ts';
import { siteRulesOf } from './cross-page.ts';
import { prepareFindings, writeOnPage } from './late-findings.ts';

const PAGES_AT_ONCE = 100;

/**
 * Applies the rules of the agent's service across all reviewed pages, and adds their findings to the pages, each in a
 * transaction of its own. A process that resumes the run goes on with the pages that lack them. A failure of the rules
 * is logged and does not fail the run.
 */
export async function reviewSite(
  run: Run,
  lease: RunLease,
  context: RunContext,
  outside: Outside,
): Promise<void> {
  const rules = siteRulesOf(run.behavior);
  if (!rules || !followsLinks(run)) return;
  const found = await applyRules(rules, run, lease, context);
  if (!found) return;
  const { db, ref, owner, scorer } = lease;
  const recall = { ...context, db, embeddings: outside.embeddings, scorer };
  const late = { byModel: false, isOwnIssue: (issueType: string) => rules.issueTypes.has(issueType) };
  // Findings of earlier runs may be gone.
  const mayHaveMore = run.comparedWith !== undefined || run.row.documentId !== '';
  let count = 0;
  for (const page of await listOutcomes(db, ref)) {
    const drafts = found.get(page.url) ?? [];
    if (page.status !== 'completed' || page.detail.siteReviewed || (drafts.length === 0 && !mayHaveMore))
      continue;
    const prepared = await prepareFindings(run, page, drafts, late, recall);
    const notes = await db.transaction().execute(async (tx) => {
      const document = await holdLease(tx, ref, owner);
      return await writeOnPage(tx, run, document, prepared, late.isOwnIssue, { siteReviewed: true });
    });
    for (const note of notes) context.log(note);
    count += prepared.findings.length;
  }
  const message = `The rules across pages came to ${plural(count, 'finding')}.`;
  context.log({ level: 'info', kind: 'phase', message, data: { findings: count } });
}

async function applyRules(
  rules: SiteRules,
  run: Run,
  { db, ref }: RunLease,
  context: RunContext,
): Promise<Map<string, DraftFinding[]> | undefined> {
  const row = await getExecution(db, ref, ref.executionId);
  const { pageScope = [], pageScopeExclude = [], contentTypes = [] } = run.behavior.scope ?? {};
  const isWhole =
    row?.outcome.crawlerResults?.status === 'complete' &&
    [pageScope, pageScopeExclude, contentTypes].every(({ length }) => length === 0);
  const site: ReviewedSite = {
    seedUrl: run.row.seedUrl,
    execution: run.behavior.execution ?? {},
    isWhole,
    pages: () => completedPages(db, ref),
  };
  try {
    return await withTimeout('rules across pages', phaseTimeoutOf(run), context.signal, (signal) =>
      rules.review(site, { ...context, signal }),
    );
  } catch (error) {
    context.signal.throwIfAborted();
    const message = `The rules across pages failed: ${(error as Error).message}`;
    context.log({ level: 'warn', kind: 'phase', message });
    return undefined;
  }
}

/** Reads pages in parts, since a run may have thousands. */
async function* completedPages(
  db: RunLease['db'],
  ref: RunLease['ref'],
): AsyncGenerator<{ url: string; facts: unknown }> {
  for (let from = 0; ; ) {
    const pages = await listPagesFrom(db, ref, from, PAGES_AT_ONCE);
    const last = pages.at(-1);
    if (!last) return;
    from = last.position + 1;
    for (const { url, status, detail } of pages)
      if (status === 'completed') yield { url, facts: detail.siteFacts };
  }
}
