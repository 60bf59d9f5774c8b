import { z } from 'zod';
import type { Tx } from '../../db/tables.ts';
import { storable } from '../../lib/text/cut-text.ts';
import type { Outside } from '../../outside/outside.ts';
import type { DraftFinding, Finding, HeldBack } from '../../shapes/agents/execution.ts';
import { insertArtifacts } from '../../store/agents/artifacts.ts';
import { holdLease } from '../../store/agents/execution-leases.ts';
import { addFindings, findingsOf, listPages, type PageRow } from '../../store/agents/execution-pages.ts';
import { holdExecution, noteOutcome } from '../../store/agents/executions.ts';
import type { LogLine } from '../core/execute-task.ts';
import { type Held, isOn, type Run } from '../core/run-state.ts';
import { comparePage, type Fixed } from '../findings/compare-page.ts';
import { completeFindings, guardrails } from '../findings/guardrails.ts';
import { writeSuggestions } from '../findings/write-suggestions.ts';
import { type WeighContext, type Weighed, weighFindings } from '../memory/weigh-findings.ts';
import { demanding, lenientSeverity, lenientText } from '../prompt/finding-schema.ts';
import { type AnswerAboutRun, askAboutRun } from '../run/ask-about-run.ts';
import { withAnswer } from '../run/format-response.ts';
import type { RunContext } from '../run/run-page.ts';
import { CROSS_PAGE_ISSUE, isCrossPage } from './cross-page.ts';
import { type Deviation, draftsByPage } from './deviations.ts';
import { sourceOfTruth, TRUTH_BLOCK } from './source-of-truth.ts';

const COMPARING = new Set(['ai', 'service+ai']);

const INSTRUCTIONS = `Compare web pages of one publisher in one respect, which is to be the same on all of them. Each data block holds what was gathered of one page, with its number; long pages are cut in the middle.
Find out what most pages, or the most authoritative of them, say. Report each page that says something else, once for each place, and no page that says the same in other words or says nothing about it.
What is to be the same:`;
const WITH_TRUTH = `The data block ${TRUTH_BLOCK} holds what the publisher laid down. Where it speaks of what is to be the same, it is right, and each page that says something else deviates, also where all pages agree.`;

const answer = demanding({
  expected: lenientText('What the pages should all say, in a few words.'),
  deviations: z
    .array(
      demanding({
        page: z.number().describe('The number of the page that deviates.'),
        title: z.string().describe('What deviates, in a few words.'),
        description: z.string().describe('What this page says, and what the others say, naming one of them.'),
        severity: lenientSeverity(),
        targetText: lenientText(
          'The words of this page that deviate, quoted exactly; empty where there are none.',
        ),
        suggestion: lenientText('What it should say.'),
      }),
    )
    .describe('Empty where the pages agree.'),
}) as unknown as z.ZodType<{ deviations: Deviation[] }>;

/** Has a model compare a run's pages in what the agent wants to be the same on all, and writes what deviates. */
export async function compareRunPages(
  run: Run,
  held: Held,
  context: RunContext,
  outside: Outside,
): Promise<void> {
  if (!isCrossPage(run.behavior) || run.row.outcome.pagesCompared === true) return;
  const strategy = run.behavior.execution?.executionStrategy ?? 'ai';
  const pages = (await listPages(held.db, held.ref)).filter(({ status }) => status === 'completed');
  const compared = pages.filter(({ detail }) => typeof detail.textToCompare === 'string');
  const truth = COMPARING.has(strategy) ? await sourceOfTruth(run, held, context) : undefined;
  const reason = !COMPARING.has(strategy)
    ? `the strategy ${strategy} compares none`
    : compared.length === 0
      ? 'none of them has anything gathered'
      : compared.length < 2 && !truth
        ? 'fewer than two of them have anything gathered'
        : undefined;
  if (reason !== undefined) {
    context.log({ level: 'warn', message: `The pages were not compared with each other: ${reason}.` });
    return;
  }
  const targetProperty = run.behavior.scope!.crossPage!.targetProperty;
  const asked = await askAboutRun(
    run,
    {
      phase: 'comparison of pages',
      instructions: `${truth ? `${WITH_TRUTH}\n\n` : ''}${INSTRUCTIONS} ${targetProperty}`,
      blocks: [
        ...(truth ? [truth] : []),
        ...compared.map(({ url, detail }, index) => ({
          name: `page ${index + 1}`,
          parts: [{ text: `URL: ${url}\n${detail.textToCompare}` }],
        })),
      ],
      schema: answer,
    },
    context,
    outside,
  );
  const recall = { ...context, db: held.db, embeddings: outside.embeddings, scorer: held.scorer };
  const notes = await write(run, held, compared, asked, recall);
  for (const note of notes) context.log(note);
}

/** All of it in one transaction, so that no page has it twice where the process dies. */
async function write(
  run: Run,
  { db, ref, owner }: Held,
  pages: PageRow[],
  asked: AnswerAboutRun<{ deviations: Deviation[] }>,
  recall: WeighContext,
): Promise<LogLine[]> {
  const found = asked.data && draftsByPage(asked.data.deviations, pages);
  const ready = found
    ? await Promise.all(
        pages.map((page) => compareWithLast(run, page, found.drafts.get(page.url) ?? [], recall)),
      )
    : [];
  return await db.transaction().execute(async (tx) => {
    const document = await holdLease(tx, ref, owner);
    const { outcome } = await holdExecution(tx, ref, ref.executionId);
    await insertArtifacts(tx, asked.artifacts);
    await noteOutcome(tx, ref, {
      ...outcome,
      ...(found && { pagesCompared: true }),
      asked: withAnswer(outcome.asked, asked),
    });
    const notes: LogLine[] = [...(found?.notes ?? [])];
    for (const page of ready) notes.push(...(await writeOn(tx, run, document, page)));
    return notes;
  });
}

interface Ready {
  url: string;
  findings: Finding[];
  fixed: Fixed | undefined;
  held: Weighed['held'];
  /** On the page so far. */
  heldBack: HeldBack[];
}

async function compareWithLast(
  run: Run,
  { url, findings: known, detail }: PageRow,
  drafts: DraftFinding[],
  recall: WeighContext,
): Promise<Ready> {
  const all = completeFindings(drafts, url, true).map((finding, index) => ({
    ...finding,
    id: `finding-${known.length + index + 1}`,
  }));
  const filtered = isOn(run.behavior.postProcess?.guardrails) ? guardrails(all) : all;
  const weighed = await weighFindings(run, url, filtered, recall);
  const findings = storable(weighed.findings);
  const ready = { url, held: weighed.held, heldBack: detail.heldBack ?? [] };
  if (run.comparedWith === undefined) return { ...ready, findings, fixed: undefined };
  const ref = { apiKeyId: run.scope.apiKeyId, executionId: run.comparedWith };
  const before = (await findingsOf(recall.db, ref, url))?.filter(
    ({ issueType }) => issueType === CROSS_PAGE_ISSUE,
  );
  const compared = comparePage(before, findings);
  const sofar = detail.fixed;
  return {
    ...ready,
    findings: compared.findings,
    fixed: {
      count: (sofar?.count ?? 0) + compared.fixed.count,
      findings: [...(sofar?.findings ?? []), ...compared.fixed.findings],
    },
  };
}

async function writeOn(
  tx: Tx,
  run: Run,
  document: Parameters<typeof writeSuggestions>[2],
  { url, findings, fixed, held, heldBack }: Ready,
): Promise<LogLine[]> {
  const isAboutThis = (issueType: string) => issueType === CROSS_PAGE_ISSUE;
  const suggested = await writeSuggestions(tx, run, document, url, findings, isAboutThis, held);
  await addFindings(tx, { apiKeyId: run.scope.apiKeyId, executionId: run.row.executionId }, url, {
    findings: suggested.findings,
    annotationsCreated: suggested.created,
    detail: storable({
      ...(fixed && { fixed }),
      ...(suggested.heldBack.length > 0 && { heldBack: [...heldBack, ...suggested.heldBack] }),
    }),
  });
  return suggested.notes;
}
