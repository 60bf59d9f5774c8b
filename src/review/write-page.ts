import type { Db, Tx } from '../db/tables.ts';
import { storable } from '../lib/cut-text.ts';
import type { Finding } from '../shapes/execution.ts';
import {
  type AgentAnnotation,
  type DocumentRef,
  deletePendingSuggestions,
  insertAgentAnnotations,
} from '../store/agent-annotations.ts';
import { type ArtifactRow, insertArtifacts } from '../store/artifacts.ts';
import { holdLease } from '../store/execution-leases.ts';
import { writePage } from '../store/execution-pages.ts';
import type { TaskResult } from './execute/strategy.ts';
import { annotationsOf, pageOf } from './postprocess/annotations.ts';
import type { RunFault } from './run-fault.ts';
import { isOn, type Run } from './run-shape.ts';

interface Writer {
  db: Db;
  /** Names this process as the one that works on the run. */
  owner: string;
}

interface Work {
  result: TaskResult;
  findings: Finding[];
  artifacts: ArtifactRow[];
}

/** All that is written about a page, at once or not at all: a repeated try finds the page done, or untouched. */
export function writeReviewed(
  run: Run,
  url: string,
  { result, findings, artifacts }: Work,
  { db, owner }: Writer,
): Promise<{ documentGone: boolean }> {
  const { scope, row } = run;
  const stages = run.behavior.postProcess ?? {};
  const strategy = isOn(stages.annotations) ? (stages.annotations?.strategy ?? 'findings') : 'none';
  const ref = { apiKeyId: scope.apiKeyId, executionId: row.executionId };
  const onDocument = row.documentId !== '';

  return db.transaction().execute(async (tx) => {
    const document = await holdLease(tx, ref, owner);
    const made = annotationsOf(findings, url, onDocument ? strategy : 'none', {
      agentId: row.agentId,
      agentName: row.agentName,
      agentType: run.agentType,
      executionId: row.executionId,
      apiKeyId: scope.apiKeyId,
      ...document,
      deviceType: run.request.deviceType,
      visibility: run.request.annotationVisibility,
    });
    const created = onDocument ? await annotate(tx, run, document, url, made.annotations) : 0;
    const documentGone = created < made.annotations.length;
    const { summary, data, usage, llmModel } = result;
    await insertArtifacts(tx, artifacts);
    await writePage(tx, ref, {
      url,
      status: 'completed',
      findings: documentGone ? findings : made.findings,
      annotationsCreated: created,
      detail: storable({
        ...(summary !== undefined && { summary }),
        ...(data !== undefined && { data }),
        ...(usage && { usage }),
        ...(llmModel && { llmModel }),
      }),
    });
    return { documentGone };
  });
}

async function annotate(
  tx: Tx,
  run: Run,
  document: DocumentRef,
  url: string,
  annotations: AgentAnnotation[],
): Promise<number> {
  if (isOn(run.behavior.postProcess?.deletePreviousSuggestions)) {
    await deletePendingSuggestions(tx, run.scope, document, {
      agentId: run.row.agentId,
      agentUrl: pageOf(url),
    });
  }
  return await insertAgentAnnotations(tx, run.scope, document, annotations);
}

/** Writes that a page came to nothing. */
export const writeFault = (run: Run, url: string, fault: RunFault, { db, owner }: Writer): Promise<void> =>
  db.transaction().execute(async (tx) => {
    const ref = { apiKeyId: run.scope.apiKeyId, executionId: run.row.executionId };
    await holdLease(tx, ref, owner);
    await writePage(tx, ref, {
      url,
      status: 'failed',
      findings: [],
      annotationsCreated: 0,
      detail: { error: { code: fault.code, message: fault.message, retryable: fault.retryable } },
    });
  });
