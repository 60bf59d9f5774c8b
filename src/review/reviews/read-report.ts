import type { Db } from '../../db/tables.ts';
import { plural } from '../../lib/text/plural.ts';
import { version } from '../../lib/version.ts';
import { buildReport, type RunOfReport } from '../../report/build-report.ts';
import type { Report } from '../../report/report.ts';
import { type Severity, severities } from '../../shapes/agents/execution.ts';
import { listFindings } from '../../store/agents/execution-findings.ts';
import { listOutcomes, type PageOutcome } from '../../store/agents/execution-pages.ts';
import type { ExecutionRow } from '../../store/agents/executions.ts';
import { executionsOfReview, type ReviewRow } from '../../store/agents/reviews.ts';
import { listRules } from '../agents/rule-catalogue.ts';

/** Findings that a report shows, the gravest of them: a file with more takes a browser minutes to open. */
const MAX_FINDINGS = 10_000;

/** Executions of a review in the order in which its request names URLs and agents. */
export function inOrderOf<Row extends Pick<ExecutionRow, 'seedUrl' | 'agentId'>>(
  { request: { urls, agents } }: Pick<ReviewRow, 'request'>,
  rows: readonly Row[],
): Row[] {
  const place = ({ seedUrl, agentId }: Row): number =>
    urls.indexOf(seedUrl) * agents.length + agents.findIndex((agent) => agent.agentId === agentId);
  return rows.toSorted((one, other) => place(one) - place(other));
}

/** The report on a review; for one that is running, on what is known so far. */
export async function reportOfReview(db: Db, row: ReviewRow): Promise<Report> {
  const { urls, deviceType } = row.request;
  const runs = inOrderOf(row, await executionsOfReview(db, row, row.reviewId));
  return await reportOf(db, runs, { ...row, id: row.reviewId, urls, deviceType });
}

/** The report on one run. */
export const reportOfExecution = (db: Db, row: ExecutionRow): Promise<Report> =>
  reportOf(db, [row], {
    ...row,
    id: row.executionId,
    urls: [row.seedUrl],
    deviceType: row.request.deviceType,
  });

async function reportOf(
  db: Db,
  rows: readonly ExecutionRow[],
  about: Pick<Report, 'id' | 'startedAt' | 'urls' | 'deviceType'> & { completedAt: number | null },
): Promise<Report> {
  const { id, startedAt, urls, deviceType } = about;
  const completedAt = about.completedAt ?? Date.now();
  const runs: RunOfReport[] = [];
  const notes: string[] = [];
  const loginPages = new Map<string, string>();
  const gravest = await gravestOf(db, rows);
  let total = 0;
  for (const [index, row] of rows.entries()) {
    const pages = await listOutcomes(db, row);
    total += pages.reduce((sum, { findingCount }) => sum + findingCount, 0);
    runs.push(runOf(row, pages, gravest[index]!, completedAt));
    const { loginPage } = row.outcome.crawlerResults ?? {};
    if (typeof loginPage === 'string') loginPages.set(row.seedUrl, loginPage);
    for (const { url, detail } of pages) if (detail.loginPage) loginPages.set(url, detail.loginPage);
    notes.push(...notesOf(row));
  }
  if (total > MAX_FINDINGS)
    notes.push(
      `The agents have ${total} findings. The report has ${MAX_FINDINGS} of them, the gravest ones.`,
    );
  const rules = Object.fromEntries(
    (await listRules()).map(({ issueType, title, help, helpUrl, category, defaultSeverity }) => [
      issueType,
      { title, help, ...(helpUrl !== undefined && { helpUrl }), category, defaultSeverity },
    ]),
  );
  return buildReport({
    id,
    redpen: version,
    startedAt,
    completedAt,
    urls,
    deviceType,
    rules,
    notes: [...new Set([...notes, ...notesOnLogin(loginPages)])],
    runs,
  });
}

/** The gravest findings of all runs together, by run: an agent with many slight ones does not take the room of others. */
async function gravestOf(db: Db, rows: readonly ExecutionRow[]): Promise<RunOfReport['findings'][]> {
  const found = rows.map((): RunOfReport['findings'] => []);
  let room = MAX_FINDINGS;
  for (const severity of severities) {
    for (const [index, row] of rows.entries()) {
      if (room === 0) return found;
      const some = await listFindings(db, row, { severity }, room);
      room -= some.length;
      found[index]!.push(...some.map(({ body }) => body));
    }
  }
  return found;
}

function runOf(
  row: ExecutionRow,
  pages: readonly PageOutcome[],
  findings: RunOfReport['findings'],
  completedAt: number,
): RunOfReport {
  return {
    executionId: row.executionId,
    agentId: row.agentId,
    agentName: row.agentName,
    verdict: row.outcome.verdict ?? 'incomplete',
    ...(row.outcome.error && { error: row.outcome.error.message }),
    startedAt: row.startedAt,
    completedAt: row.completedAt ?? completedAt,
    pages: pages.map(({ url, status, detail }) => ({
      url,
      status,
      message: detail.error?.message ?? (status === 'skipped' ? detail.summary : undefined),
      screenshot: detail.screenshot,
      fixed: detail.fixed?.findings,
    })),
    findings,
  };
}

function notesOf({ agentName, status, outcome: { resultsSummary, crawlerResults } }: ExecutionRow): string[] {
  const notes: string[] = [];
  if (status === 'running') notes.push(`${agentName} has not finished.`);
  const left = crawlerResults?.pagesLeft;
  if (typeof left === 'number' && left > 0)
    notes.push(`At least ${left} further pages of the site were left out by the limit of pages.`);
  if (status === 'skipped' && resultsSummary?.summary) notes.push(`${agentName}: ${resultsSummary.summary}`);
  return notes;
}

/** Notes on login pages that were reviewed in place of others, by the address of the page that was meant. */
const notesOnLogin = (loginPages: ReadonlyMap<string, string>): string[] =>
  [...Map.groupBy(loginPages, ([, loginPage]) => loginPage)].map(([loginPage, [first, ...others]]) => {
    const rest = others.length > 0 ? ` and ${plural(others.length, 'further page')} lead` : ' leads';
    return `${first![0]}${rest} to the login page ${loginPage}, which was reviewed instead. With auth, the review signs in.`;
  });

/** Numbers of the findings of a review by severity, as `counts` of the review returns them. */
export function countsOf({ findings, fixed, pages }: Report) {
  const open = findings.filter(({ ignored }) => ignored === undefined);
  const bySeverity: Partial<Record<Severity, number>> = {};
  for (const { severity } of open) bySeverity[severity] = (bySeverity[severity] ?? 0) + 1;
  const isCompared = findings.some(({ state }) => state !== undefined) || fixed.length > 0;
  return {
    findings: findings.length,
    open: open.length,
    bySeverity,
    ...(isCompared && { new: findings.filter(({ state }) => state === 'new').length, fixed: fixed.length }),
    pages: pages.filter(({ status }) => status === 'reviewed').length,
  };
}
