import type { z } from 'zod';
import type { Db } from '../../db/tables.ts';
import { nameOfBuiltin } from '../../shapes/agents/builtin-agents.ts';
import type { Finding } from '../../shapes/agents/execution.ts';
import type { findingRecord } from '../../shapes/agents/finding-record.ts';
import type { FindingRecordRow } from '../../store/agents/finding-records.ts';
import { annotationsNamed } from '../../store/annotations/select-annotations.ts';
import { decisionsOnAnnotations } from '../../store/memory/decisions-on-annotations.ts';
import { decisionFields } from './decided-findings.ts';

type Decided = Pick<Finding, 'decision' | 'decidedBy' | 'reason' | 'decidedAt'>;

const keyOf = ({ organizationId, annotationId }: Pick<FindingRecordRow, 'organizationId' | 'annotationId'>) =>
  JSON.stringify([organizationId, annotationId]);

/** Findings as the API returns them, with decisions as the annotations and the memory have them. */
export async function showFindings(
  db: Db,
  apiKeyId: string,
  rows: readonly FindingRecordRow[],
): Promise<z.input<typeof findingRecord>[]> {
  const names = await agentNames(db, apiKeyId, rows);
  const decisions = await decisionsOnSuggestions(db, apiKeyId, rows);
  return rows.map((row) => {
    const { body, organizationId, documentId, fixedAt, fixedExecutionId, annotationId } = row;
    const { id: _, ...fields } = body;
    const onSuggestion = annotationId === null ? undefined : decisions.get(keyOf(row));
    return {
      ...fields,
      id: row.findingId,
      fingerprint: row.fingerprint,
      ...(organizationId !== null && { organizationId }),
      ...(documentId !== null && { documentId }),
      agentId: row.agentId,
      agentName: names.get(row.lastExecutionId) ?? nameOfBuiltin(row.agentId) ?? names.get(row.agentId) ?? '',
      pageUrl: row.pageUrl,
      state: row.state,
      executionId: row.lastExecutionId,
      firstExecutionId: row.firstExecutionId,
      firstSeenAt: row.firstSeenAt,
      lastSeenAt: row.lastSeenAt,
      seenCount: row.seenCount,
      ...(fixedAt !== null && { fixedAt }),
      ...(fixedExecutionId !== null && { fixedExecutionId }),
      ...(onSuggestion && annotationId !== null && { annotationId }),
      ...decidedFields(row, onSuggestion),
    };
  });
}

/** The row's decision is the one that filters see; the annotation only adds to it. */
function decidedFields(
  { decision, decidedAt, decided }: FindingRecordRow,
  onSuggestion: Decided | undefined,
): Decided {
  if (decision === null) return {};
  return { ...(decidedAt !== null && { decidedAt }), ...onSuggestion, ...decided, decision };
}

/** By organization and annotation: the decision on each suggestion that exists. */
async function decisionsOnSuggestions(
  db: Db,
  apiKeyId: string,
  rows: readonly FindingRecordRow[],
): Promise<Map<string, Decided>> {
  const found = new Map<string, Decided>();
  const annotated = rows.filter(({ annotationId }) => annotationId !== null);
  for (const [organizationId, ofOrganization] of Map.groupBy(annotated, (row) => row.organizationId!)) {
    const ids = [...new Set(ofOrganization.map(({ annotationId }) => annotationId!))];
    const documentIds = [...new Set(ofOrganization.map(({ documentId }) => documentId!))];
    const annotations = await annotationsNamed(db, { apiKeyId }, organizationId, documentIds, ids);
    const recorded = ofOrganization.some(({ decision }) => decision !== null)
      ? await decisionsOnAnnotations(db, { apiKeyId }, organizationId, ids)
      : [];
    for (const one of annotations) found.set(keyOf(one), decisionFields(one, recorded));
  }
  return found;
}

/** Names of agents by execution, and names of own agents by their id if an execution is not kept any more. */
async function agentNames(
  db: Db,
  apiKeyId: string,
  rows: readonly FindingRecordRow[],
): Promise<Map<string, string>> {
  if (rows.length === 0) return new Map();
  const runs = await db
    .selectFrom('executions')
    .select(['executionId', 'agentName'])
    .where('apiKeyId', '=', apiKeyId)
    .where('executionId', 'in', [...new Set(rows.map(({ lastExecutionId }) => lastExecutionId))])
    .execute();
  const names = new Map(runs.map(({ executionId, agentName }) => [executionId, agentName]));
  const others = rows.filter(({ lastExecutionId }) => !names.has(lastExecutionId));
  if (others.length === 0) return names;
  const agents = await db
    .selectFrom('agents')
    .select(['agentId', 'name'])
    .where('apiKeyId', '=', apiKeyId)
    .where('agentId', 'in', [...new Set(others.map(({ agentId }) => agentId))])
    .execute();
  for (const { agentId, name } of agents) names.set(agentId, name);
  return names;
}
