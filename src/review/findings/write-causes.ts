import type { Tx } from '../../db/tables.ts';
import { plural } from '../../lib/text/plural.ts';
import type { DocumentRef } from '../../shapes/refs.ts';
import {
  type CauseRow,
  causesToAnnotate,
  countCauses,
  firstFindingOfEach,
  groupCauses,
  setAnnotations,
} from '../../store/agents/execution-causes.ts';
import { countFindingsBy } from '../../store/agents/execution-findings.ts';
import { holdLease } from '../../store/agents/execution-leases.ts';
import { listOutcomes, type PageOutcome } from '../../store/agents/execution-pages.ts';
import { lockExecution, noteOutcome } from '../../store/agents/executions.ts';
import { linkFindings } from '../../store/agents/finding-records.ts';
import { insertAgentAnnotations } from '../../store/annotations/agent-annotations.ts';
import { deleteSuggestions, renewSuggestions } from '../../store/annotations/agent-suggestions.ts';
import {
  coveringSuggestions,
  lockPageSuggestions,
  lockSiteWideSuggestions,
  withUnreviewedPlaces,
} from '../../store/annotations/cause-suggestions.ts';
import { resolveSuggestions } from '../../store/annotations/repaired-suggestions.ts';
import { documentExists } from '../../store/documents/documents.ts';
import type { RunContext } from '../core/execution-strategy.ts';
import type { RunLease } from '../core/run-lease.ts';
import { isEnabled, type Run } from '../core/run-state.ts';
import { INJECTION_ISSUE } from '../injection/injection-findings.ts';
import { annotationStrategyOf } from './annotation-strategy.ts';
import { fixedPlaces } from './compare-with-previous-run.ts';
import { pageUrlOf, siteWideAnnotationOf } from './finding-to-annotation.ts';

/** Causes, or pages, per transaction. */
const PART = 500;

/**
 * Groups the findings of a reviewed run by their causes and, if the agent annotates causes, writes a suggestion for each
 * in parts. A process that resumes the run goes on with the causes that have no suggestion yet.
 */
export async function writeCauses(
  run: Run,
  lease: RunLease,
  { log }: Pick<RunContext, 'log'>,
): Promise<void> {
  const { db, ref, owner } = lease;
  const pages = await listOutcomes(db, ref);
  const areAnnotated = annotationStrategyOf(run) === 'causes' && run.row.documentId !== '';
  await db.transaction().execute(async (tx) => {
    await holdLease(tx, ref, owner);
    if ((await countCauses(tx, ref)) === 0) await groupCauses(tx, ref, fixedPlaces(pages), { areAnnotated });
  });
  if (!areAnnotated) return;

  const issues = await countFindingsBy(db, ref, 'issueType', '');
  const injected = (issues[INJECTION_ISSUE] ?? 0) > 0;
  const sum = { created: 0, kept: 0, covered: 0 };
  for (let from = 0; ; ) {
    const causes = await causesToAnnotate(db, ref, PART, from);
    const last = causes.at(-1);
    if (!last) break;
    from = last.position + 1;
    const written = await db.transaction().execute(async (tx) => {
      const document = await holdLease(tx, ref, owner);
      return await annotate(tx, run, ref, document, causes, injected);
    });
    if (!written) return;
    for (const name of ['created', 'kept', 'covered'] as const) sum[name] += written[name];
  }
  const repaired = await resolveGone(run, lease, pages);
  const parts = [
    `${plural(sum.created, 'suggestion')} for the causes of the findings`,
    ...(sum.kept > 0 ? [`${sum.kept} of earlier runs kept`] : []),
    ...(sum.covered > 0 ? [`${plural(sum.covered, 'cause')} left to the suggestions of other agents`] : []),
    ...(repaired > 0 ? [`${repaired} resolved, since the fault is gone`] : []),
  ];
  log({ level: 'info', message: `${parts.join('; ')}.`, data: { ...sum, repaired } });
}

/** Writes the suggestions of some causes. Undefined if the document is gone. */
async function annotate(
  tx: Tx,
  run: Run,
  ref: RunLease['ref'],
  document: DocumentRef,
  causes: readonly CauseRow[],
  injected: boolean,
): Promise<{ created: number; kept: number; covered: number } | undefined> {
  const { scope, row, behavior } = run;
  const ids = causes.map(({ causeId }) => causeId);
  const findings = await firstFindingOfEach(tx, ref, ids);
  const replaces = isEnabled(behavior.postProcess?.deletePreviousSuggestions);
  const stored = replaces
    ? await lockSiteWideSuggestions(tx, scope, document, row.agentId, { ids })
    : (await documentExists(tx, scope, document)) && [];
  if (!stored) return undefined;
  const storedByCause = new Map(stored.map((one) => [one.causeId!, one]));
  const first = pageUrlOf(row.seedUrl);
  const others = await coveringSuggestions(tx, scope, document, {
    agentId: row.agentId,
    agentUrl: first,
    causeIds: replaces ? ids.filter((id) => !storedByCause.has(id)) : [],
  });
  const annotationIds = new Map<string, string>();
  const added = [];
  const renewals = [];
  for (const { causeId, places, pages } of causes) {
    const finding = findings.get(causeId);
    if (!finding) continue;
    const covering = others.get(causeId);
    if (covering) {
      annotationIds.set(causeId, covering.annotationId);
      continue;
    }
    const next = siteWideAnnotationOf(finding, { id: causeId, places, pages }, run, document, injected);
    const known = storedByCause.get(causeId);
    annotationIds.set(causeId, known?.annotationId ?? next.annotationId);
    if (!known) added.push(next);
    else if (known.suggestionStatus === 'pending') renewals.push({ row: known, next });
  }
  await renewSuggestions(tx, scope, document, renewals);
  const created = await insertAgentAnnotations(tx, scope, document, added);
  await setAnnotations(tx, ref, annotationIds);
  await linkFindings(tx, ref, document, annotationIds);
  const { outcome } = await lockExecution(tx, ref, ref.executionId);
  await noteOutcome(tx, ref, {
    ...outcome,
    siteWideAnnotations: (outcome.siteWideAnnotations ?? 0) + created,
  });
  return { created, kept: renewals.length, covered: others.size };
}

/**
 * Resolves the site-wide suggestions of causes that are gone: on all pages where they were last found, or, if the run
 * has reviewed the whole site, also because their pages are. Deletes suggestions for single pages, since the causes
 * report their faults now. Returns the number of resolved ones.
 */
async function resolveGone(
  run: Run,
  { db, ref, owner }: RunLease,
  pages: readonly PageOutcome[],
): Promise<number> {
  const { scope, row, behavior } = run;
  if (!isEnabled(behavior.postProcess?.deletePreviousSuggestions)) return 0;
  const reviewed = pages.filter(({ status }) => status === 'completed').map(({ url }) => pageUrlOf(url));
  for (let from = 0; from < reviewed.length; from += PART) {
    await db.transaction().execute(async (tx) => {
      const document = await holdLease(tx, ref, owner);
      const part = reviewed.slice(from, from + PART);
      const ofPages = await lockPageSuggestions(tx, scope, document, row.agentId, part);
      if (ofPages.length > 0) await deleteSuggestions(tx, scope, document, ofPages);
    });
  }
  return await db.transaction().execute(async (tx) => {
    const document = await holdLease(tx, ref, owner);
    const { outcome } = await lockExecution(tx, ref, ref.executionId);
    const missing = await lockSiteWideSuggestions(tx, scope, document, row.agentId, {
      notIn: ref.executionId,
    });
    const isWhole = outcome.crawlerResults?.status === 'complete' && reviewed.length === pages.length;
    const unsure = isWhole
      ? new Set<string>()
      : await withUnreviewedPlaces(tx, scope, ref.executionId, missing ?? []);
    const unjudged = new Set(pages.flatMap(({ detail }) => detail.unjudgedCauses ?? []));
    const gone = (missing ?? []).filter(
      ({ annotationId, causeId }) => !unsure.has(annotationId) && !unjudged.has(causeId!),
    );
    await resolveSuggestions(tx, scope, gone, ref.executionId);
    return gone.length;
  });
}
