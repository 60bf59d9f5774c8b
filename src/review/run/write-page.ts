import type { Tx } from '../../db/tables.ts';
import { emit } from '../../events/emit.ts';
import { storable } from '../../lib/text/cut-text.ts';
import type { TokenUsage } from '../../outside/models/models.ts';
import type { PageScreenshot } from '../../shapes/agents/execution-record.ts';
import type { DocumentRef } from '../../shapes/refs.ts';
import { type ArtifactRow, insertArtifacts } from '../../store/agents/artifacts.ts';
import { holdLease } from '../../store/agents/execution-leases.ts';
import { type PageResult, writePage } from '../../store/agents/execution-pages.ts';
import type { LogLine, TaskResult } from '../core/execution-strategy.ts';
import type { RunFault } from '../core/run-error.ts';
import type { RunLease } from '../core/run-lease.ts';
import type { Run } from '../core/run-state.ts';
import { isLateIssue } from '../cross-page/cross-page.ts';
import { compareWithPreviousRun } from '../findings/compare-with-previous-run.ts';
import type { FindingsWithPrecedents } from '../findings/finding-to-annotation.ts';
import { isReported } from '../findings/own-severities.ts';
import { writeFindings } from '../findings/write-findings.ts';

type Writer = Pick<RunLease, 'db' | 'owner'>;

interface ReviewedPage extends FindingsWithPrecedents {
  result: TaskResult;
  artifacts: ArtifactRow[];
  screenshot?: PageScreenshot | undefined;
  /** Excerpt for the comparison with the other pages. */
  textToCompare?: string | undefined;
  siteFacts?: unknown;
  /** True if the page was read in a browser; undefined for agents that need one for each page. */
  rendered?: boolean | undefined;
  loginPage?: string | undefined;
}

/** Writes all results of a page in one transaction, so that a retry finds the page finished or untouched. */
export async function writeReviewed(
  run: Run,
  url: string,
  { result, artifacts, textToCompare, screenshot, siteFacts, rendered, loginPage, ...found }: ReviewedPage,
  { db, owner }: Writer,
): Promise<{ notes: LogLine[]; reported: number }> {
  const ref = { apiKeyId: run.scope.apiKeyId, executionId: run.row.executionId };
  const isOwnIssue = (issueType: string) =>
    !isLateIssue(run.behavior, issueType) && isReported(run.request, issueType);
  const { findings, fixed } = await compareWithPreviousRun(db, run, url, found, isOwnIssue);
  return await db.transaction().execute(async (tx) => {
    const document = await holdLease(tx, ref, owner);
    const suggested = await writeFindings(tx, run, document, url, { ...found, findings }, isOwnIssue);
    const { summary, data, dismissed, usage, llmModel } = result;
    await insertArtifacts(tx, artifacts);
    await storePage(tx, run, document, {
      url,
      status: 'completed',
      findings: suggested.findings,
      annotationsCreated: suggested.created,
      detail: storable({
        ...(summary !== undefined && { summary }),
        ...(data !== undefined && { data }),
        ...(dismissed && { dismissed }),
        ...(suggested.heldBack.length > 0 && { heldBack: suggested.heldBack }),
        ...(fixed && { fixed }),
        ...(suggested.unjudgedCauses.length > 0 && { unjudgedCauses: suggested.unjudgedCauses }),
        ...(screenshot && { screenshot }),
        ...(textToCompare !== undefined && { textToCompare }),
        ...(siteFacts !== undefined && { siteFacts }),
        ...(rendered !== undefined && { rendered }),
        ...(loginPage !== undefined && { loginPage }),
        ...(usage && { usage }),
        ...(llmModel && { llmModel }),
      }),
    });
    return { notes: suggested.notes, reported: suggested.findings.length };
  });
}

/** Writes a page that could not be reviewed. Suggestions of earlier runs on it stay. */
export const writeSkipped = (
  run: Run,
  url: string,
  { skipped: summary, data, usage }: TaskResult,
  artifacts: ArtifactRow[],
  writer: Writer,
): Promise<void> =>
  writeWithoutFindings(run, url, 'skipped', artifacts, writer, {
    summary,
    ...(data !== undefined && { data }),
    ...(usage && { usage }),
  });

interface FailedPage {
  fault: RunFault;
  artifacts: ArtifactRow[];
  usage?: TokenUsage | undefined;
  llmModel?: string | undefined;
}

/** Writes a failed page, with its cost and the files that help to find the cause. */
export const writeFault = (
  run: Run,
  url: string,
  { fault, artifacts, usage, llmModel }: FailedPage,
  writer: Writer,
): Promise<void> =>
  writeWithoutFindings(run, url, 'failed', artifacts, writer, {
    error: { code: fault.code, message: fault.message, retryable: fault.retryable },
    ...(usage && { usage }),
    ...(llmModel && { llmModel }),
  });

const writeWithoutFindings = (
  run: Run,
  url: string,
  status: 'skipped' | 'failed',
  artifacts: ArtifactRow[],
  { db, owner }: Writer,
  detail: Parameters<typeof writePage>[2]['detail'],
): Promise<void> =>
  db.transaction().execute(async (tx) => {
    const ref = { apiKeyId: run.scope.apiKeyId, executionId: run.row.executionId };
    const document = await holdLease(tx, ref, owner);
    await insertArtifacts(tx, artifacts);
    const page = { url, status, findings: [], annotationsCreated: 0, detail: storable(detail) };
    await storePage(tx, run, document, page);
  });

/** Stores the result of a page and announces it, unless it has one already. */
async function storePage(
  tx: Tx,
  { scope, row: { executionId, agentId } }: Run,
  document: DocumentRef,
  page: PageResult & { status: 'completed' | 'failed' | 'skipped' },
): Promise<void> {
  if (!(await writePage(tx, { apiKeyId: scope.apiKeyId, executionId }, page))) return;
  const { url, status, findings } = page;
  await emit(tx, scope, 'agent_execution.page', {
    executionId,
    agentId,
    ...(document.documentId !== '' && document),
    url,
    status,
    findings: findings.length,
  });
}
