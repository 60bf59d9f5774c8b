import type { Db } from '../../db/tables.ts';
import { storable } from '../../lib/text/cut-text.ts';
import type { TokenUsage } from '../../outside/models/models.ts';
import type { Finding, Precedent } from '../../shapes/agents/execution.ts';
import { type ArtifactRow, insertArtifacts } from '../../store/agents/artifacts.ts';
import { holdLease } from '../../store/agents/execution-leases.ts';
import { findingsOf, writePage } from '../../store/agents/execution-pages.ts';
import type { LogLine, TaskResult } from '../core/execute-task.ts';
import type { RunFault } from '../core/run-error.ts';
import type { Run } from '../core/run-state.ts';
import { CROSS_PAGE_ISSUE, isCrossPage } from '../cross-page/cross-page.ts';
import { comparePage } from '../findings/compare-page.ts';
import { writeSuggestions } from '../findings/write-suggestions.ts';

interface Writer {
  db: Db;
  /** Names this process as the one that works on the run. */
  owner: string;
}

interface Work {
  result: TaskResult;
  findings: Finding[];
  /** Which of them are not to be reported, by their ids. */
  held: ReadonlyMap<string, Precedent>;
  artifacts: ArtifactRow[];
  /** What is kept of the page for the comparison with the others, if there is one. */
  textToCompare?: string | undefined;
}

/** All that is written about a page, at once or not at all: a repeated try finds the page done, or untouched. */
export async function writeReviewed(
  run: Run,
  url: string,
  { result, findings, held, artifacts, textToCompare }: Work,
  { db, owner }: Writer,
): Promise<{ notes: LogLine[]; reported: number }> {
  const { scope, row, comparedWith } = run;
  const ref = { apiKeyId: scope.apiKeyId, executionId: row.executionId };
  const isOfPages = (issueType: string) => !isCrossPage(run.behavior) || issueType !== CROSS_PAGE_ISSUE;
  const earlier =
    comparedWith === undefined ? undefined : await findingsOf(db, { ...ref, executionId: comparedWith }, url);
  const compared =
    comparedWith === undefined
      ? undefined
      : comparePage(
          earlier?.filter(({ issueType }) => isOfPages(issueType)),
          findings,
        );

  return await db.transaction().execute(async (tx) => {
    const document = await holdLease(tx, ref, owner);
    const suggested = await writeSuggestions(
      tx,
      run,
      document,
      url,
      compared?.findings ?? findings,
      isOfPages,
      held,
    );
    const { summary, data, dismissed, usage, llmModel } = result;
    await insertArtifacts(tx, artifacts);
    await writePage(tx, ref, {
      url,
      status: 'completed',
      findings: suggested.findings,
      annotationsCreated: suggested.created,
      detail: storable({
        ...(summary !== undefined && { summary }),
        ...(data !== undefined && { data }),
        ...(dismissed && { dismissed }),
        ...(suggested.heldBack.length > 0 && { heldBack: suggested.heldBack }),
        ...(compared && { fixed: compared.fixed }),
        ...(textToCompare !== undefined && { textToCompare }),
        ...(usage && { usage }),
        ...(llmModel && { llmModel }),
      }),
    });
    return { notes: suggested.notes, reported: suggested.findings.length };
  });
}

/** Writes that the agent can make nothing of a page. What earlier runs found on it, and suggested, stays. */
export const writeSkipped = (
  run: Run,
  url: string,
  { skipped: summary, data, usage }: TaskResult,
  artifacts: ArtifactRow[],
  writer: Writer,
): Promise<void> =>
  writeUnread(run, url, 'skipped', artifacts, writer, {
    summary,
    ...(data !== undefined && { data }),
    ...(usage && { usage }),
  });

interface Failed {
  fault: RunFault;
  artifacts: ArtifactRow[];
  usage?: TokenUsage | undefined;
  llmModel?: string | undefined;
}

/** Writes that a page came to nothing, what that cost, and the files that tell how. */
export const writeFault = (
  run: Run,
  url: string,
  { fault, artifacts, usage, llmModel }: Failed,
  writer: Writer,
): Promise<void> =>
  writeUnread(run, url, 'failed', artifacts, writer, {
    error: { code: fault.code, message: fault.message, retryable: fault.retryable },
    ...(usage && { usage }),
    ...(llmModel && { llmModel }),
  });

/** Writes a page without findings, with the files that tell why. */
const writeUnread = (
  run: Run,
  url: string,
  status: 'skipped' | 'failed',
  artifacts: ArtifactRow[],
  { db, owner }: Writer,
  detail: Parameters<typeof writePage>[2]['detail'],
): Promise<void> =>
  db.transaction().execute(async (tx) => {
    const ref = { apiKeyId: run.scope.apiKeyId, executionId: run.row.executionId };
    await holdLease(tx, ref, owner);
    await insertArtifacts(tx, artifacts);
    await writePage(tx, ref, { url, status, findings: [], annotationsCreated: 0, detail: storable(detail) });
  });
