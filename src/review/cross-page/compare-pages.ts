import { z } from 'zod';
import type { DataBlock } from '../../outside/models/data-blocks.ts';
import type { Outside } from '../../outside/outside.ts';
import { listPages, type PageRow } from '../../store/agents/execution-pages.ts';
import { CROSS_PAGE_ISSUE } from '../core/cross-page-rules.ts';
import type { LogLine, RunContext } from '../core/execution-strategy.ts';
import type { RunLease } from '../core/run-lease.ts';
import { isCrossPage, type Run } from '../core/run-state.ts';
import type { PrecedentContext } from '../memory/apply-precedents.ts';
import { lenientSeverity, lenientText, requiredObject } from '../prompt/finding-schema.ts';
import { askAboutRun, type RunAnswer, storeAnswer } from './ask-about-run.ts';

import { type Deviation, draftsByPage } from './deviations.ts';
import { prepareFindings, writeOnPage } from './late-findings.ts';
import { sourceOfTruth, TRUTH_BLOCK } from './source-of-truth.ts';

/** Execution strategies that gather text which can be compared. */
const COMPARING = new Set(['ai', 'service+ai']);

const INSTRUCTIONS = `Compare web pages of one publisher in one respect, which is to be the same on all of them. Each data block holds what was gathered of one page, with its number; long pages are cut in the middle.
Find out what most pages, or the most authoritative of them, say. Report each page that says something else, once for each place, and no page that says the same in other words or says nothing about it.
What is to be the same:`;
const WITH_TRUTH = `The data block ${TRUTH_BLOCK} holds what the publisher laid down. Where it speaks of what is to be the same, it is right, and each page that says something else deviates, also where all pages agree.`;

const answer = requiredObject({
  expected: lenientText('What the pages should all say, in a few words.'),
  deviations: z
    .array(
      requiredObject({
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
});

/** Has a model compare the pages of a run in the agent's target property, and writes deviations as findings. */
export async function compareRunPages(
  run: Run,
  lease: RunLease,
  context: RunContext,
  outside: Outside,
): Promise<void> {
  if (!isCrossPage(run.behavior) || run.row.outcome.pagesCompared === true) return;
  const strategy = run.behavior.execution?.executionStrategy ?? 'ai';
  const pages = (await listPages(lease.db, lease.ref)).filter(({ status }) => status === 'completed');
  const comparable = pages.filter(({ detail }) => typeof detail.textToCompare === 'string');
  const truth = COMPARING.has(strategy) ? await sourceOfTruth(run, lease, context) : undefined;
  const obstacle = obstacleTo(strategy, comparable, truth);
  if (obstacle !== undefined) {
    context.log({ level: 'warn', message: `The pages were not compared with each other: ${obstacle}.` });
    return;
  }
  const targetProperty = run.behavior.scope!.crossPage!.targetProperty;
  const question = {
    phase: 'comparison of pages',
    instructions: `${truth ? `${WITH_TRUTH}\n\n` : ''}${INSTRUCTIONS} ${targetProperty}`,
    blocks: [
      ...(truth ? [truth] : []),
      ...comparable.map(({ url, detail }, index) => ({
        name: `page ${index + 1}`,
        parts: [{ text: `URL: ${url}\n${detail.textToCompare}` }],
      })),
    ],
    schema: answer,
  };
  const answered = await askAboutRun(run, question, context, outside);
  const recall = { ...context, db: lease.db, embeddings: outside.embeddings, scorer: lease.scorer };
  const notes = await writeDeviations(run, lease, comparable, answered, recall);
  for (const note of notes) context.log(note);
}

/** Reason, for the log, why the pages cannot be compared. */
function obstacleTo(
  strategy: string,
  comparable: readonly PageRow[],
  truth: DataBlock | undefined,
): string | undefined {
  if (!COMPARING.has(strategy)) return `the strategy ${strategy} compares none`;
  if (comparable.length === 0) return 'none of them has anything gathered';
  if (comparable.length < 2 && !truth) return 'fewer than two of them have anything gathered';
  return undefined;
}

/** Writes all pages in one transaction, so that a retry after a crash adds no finding twice. */
async function writeDeviations(
  run: Run,
  lease: RunLease,
  pages: PageRow[],
  answered: RunAnswer<{ deviations: Deviation[] }>,
  recall: PrecedentContext,
): Promise<LogLine[]> {
  const found = answered.data && draftsByPage(answered.data.deviations, pages);
  const prepared = found
    ? await Promise.all(
        pages.map((page) => prepareFindings(run, page, found.drafts.get(page.url) ?? [], late, recall)),
      )
    : [];
  return await lease.db.transaction().execute(async (tx) => {
    const document = await storeAnswer(tx, lease, answered, found ? { pagesCompared: true } : {});
    const notes: LogLine[] = [...(found?.notes ?? [])];
    for (const page of prepared) notes.push(...(await writeOnPage(tx, run, document, page, late.isOwnIssue)));
    return notes;
  });
}

const late = { byModel: true, isOwnIssue: (issueType: string) => issueType === CROSS_PAGE_ISSUE };
