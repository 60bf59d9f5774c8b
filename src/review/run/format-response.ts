import { cutText, shorten, storable } from '../../lib/text/cut-text.ts';
import { safeText } from '../../lib/text/html.ts';
import { addUsage, NO_USAGE, type TokenUsage } from '../../outside/models/models.ts';
import type { Outside } from '../../outside/outside.ts';
import { type Finding, severities } from '../../shapes/agents/execution.ts';
import { insertArtifacts } from '../../store/agents/artifacts.ts';
import { holdLease } from '../../store/agents/execution-leases.ts';
import { listPages } from '../../store/agents/execution-pages.ts';
import { holdExecution, noteOutcome } from '../../store/agents/executions.ts';
import type { Held, Run } from '../core/run-state.ts';
import { summarize } from '../core/summary.ts';
import { type AnswerAboutRun, askAboutRun } from './ask-about-run.ts';
import type { RunContext } from './run-page.ts';

const MAX_FINDINGS = 200;
const MAX_FIELD = 1_000;
const MAX_FORMATTED = 100_000;

const INSTRUCTIONS = `Write an account of a review of web pages for the person who asked for it. The data blocks hold what the review came to: a summary, and the findings as JSON, the gravest first.
Say only what is there: leave out no grave finding, make none up, and keep the addresses as they are.`;
const DEFAULT_FORM = 'Write Markdown: two or three sentences first, then the findings, grouped by page.';

/** Has a model put what a run came to into words, where the agent wants that. */
export async function formatResponse(
  run: Run,
  held: Held,
  context: RunContext,
  outside: Outside,
): Promise<void> {
  const { useAiFormatting, formattingPrompt } = run.behavior.response ?? {};
  if (!useAiFormatting || run.row.outcome.formatted !== undefined) return;
  const pages = await listPages(held.db, held.ref);
  if (pages.every((page) => page.status !== 'completed')) return;
  const { summary } = summarize(pages);
  const findings = pages
    .flatMap((page) => page.findings)
    .sort((a, b) => severities.indexOf(a.severity) - severities.indexOf(b.severity));
  const shown = findings.slice(0, MAX_FINDINGS).map(lean);
  const ofPages = pages.flatMap(({ url, detail }) =>
    typeof detail.summary === 'string' ? [`${url}: ${shorten(detail.summary, MAX_FIELD)}`] : [],
  );
  const left = findings.length - shown.length;
  const answer = await askAboutRun(
    run,
    {
      phase: 'formatting',
      instructions: `${INSTRUCTIONS}\n\n${formattingPrompt?.trim() || DEFAULT_FORM}`,
      blocks: [
        {
          name: 'summary',
          parts: [{ text: [String(summary), ...ofPages.slice(0, MAX_FINDINGS)].join('\n') }],
        },
        {
          name: 'findings',
          parts: [
            { text: `${JSON.stringify(shown, null, 1)}${left > 0 ? `\n(${left} more are left out)` : ''}` },
          ],
        },
      ],
    },
    context,
    outside,
  );
  const formatted = answer.data?.trim();
  await keepAnswer(held, answer, formatted ? { formatted: cutText(safeText(formatted), MAX_FORMATTED) } : {});
}

const lean = ({
  title,
  description,
  severity,
  issueType,
  targetText,
  suggestion,
  sourceUrl,
  url,
}: Finding) => ({
  severity,
  issueType,
  page: sourceUrl,
  title: shorten(title, MAX_FIELD),
  description: shorten(description, MAX_FIELD),
  ...(targetText !== '' && { targetText: shorten(targetText, MAX_FIELD) }),
  ...(suggestion !== '' && { suggestion: shorten(suggestion, MAX_FIELD) }),
  ...(url !== undefined && { url }),
});

/** Notes with the run what was asked about it as a whole: the outcome, its cost, and the files. */
const keepAnswer = (
  held: Held,
  answer: AnswerAboutRun<string>,
  more: Record<string, unknown>,
): Promise<void> =>
  held.db.transaction().execute(async (tx) => {
    await holdLease(tx, held.ref, held.owner);
    const { outcome } = await holdExecution(tx, held.ref, held.ref.executionId);
    await insertArtifacts(tx, answer.artifacts);
    await noteOutcome(
      tx,
      held.ref,
      storable({ ...outcome, ...more, asked: withAnswer(outcome.asked, answer) }),
    );
  });

/** What was spent on questions about the run as a whole, with one more. */
export function withAnswer(
  asked: unknown,
  { usage, llmModel }: Pick<AnswerAboutRun<unknown>, 'usage' | 'llmModel'>,
): { usage: TokenUsage; llmModel?: string | undefined } {
  const before = (asked ?? {}) as { usage?: TokenUsage; llmModel?: string };
  return {
    usage: addUsage({ ...NO_USAGE, ...before.usage }, { ...NO_USAGE, ...usage }),
    llmModel: before.llmModel ?? llmModel,
  };
}
