import { cutText, shorten } from '../../lib/text/cut-text.ts';
import { safeText } from '../../lib/text/html.ts';
import type { Outside } from '../../outside/outside.ts';
import type { Finding } from '../../shapes/agents/execution.ts';
import { gravestFindings } from '../../store/agents/execution-findings.ts';
import type { RunContext } from '../core/execution-strategy.ts';
import type { RunLease } from '../core/run-lease.ts';
import type { Run } from '../core/run-state.ts';
import { askAboutRun, storeAnswer } from '../cross-page/ask-about-run.ts';
import { type RunResults, readResults, summarize } from './results-summary.ts';

const MAX_FINDINGS = 200;
const MAX_FIELD = 1_000;
const MAX_FORMATTED = 100_000;

const INSTRUCTIONS = `Write an account of a review of web pages for the person who asked for it. The data blocks hold what the review came to: a summary, and the findings as JSON, the gravest first.
Say only what is there: leave out no grave finding, make none up, and keep the addresses as they are.`;
const DEFAULT_FORM = 'Write Markdown: two or three sentences first, then the findings, grouped by page.';

/** Has a model write an account of the results of a run, if the agent asks for it. */
export async function formatResponse(
  run: Run,
  lease: RunLease,
  context: RunContext,
  outside: Outside,
): Promise<void> {
  const { useAiFormatting, formattingPrompt } = run.behavior.response ?? {};
  if (!useAiFormatting || run.row.outcome.formatted !== undefined) return;
  const results = await readResults(lease.db, lease.ref);
  if (results.pages.every((page) => page.status !== 'completed')) return;
  const findings = await gravestFindings(lease.db, lease.ref, MAX_FINDINGS);
  const question = {
    phase: 'formatting',
    instructions: `${INSTRUCTIONS}\n\n${formattingPrompt?.trim() || DEFAULT_FORM}`,
    blocks: [
      { name: 'summary', parts: [{ text: summaryBlock(results) }] },
      { name: 'findings', parts: [{ text: findingsBlock(findings, totalOf(results)) }] },
    ],
  };
  const answer = await askAboutRun(run, question, context, outside);
  const formatted = answer.data?.trim();
  const fields = formatted ? { formatted: cutText(safeText(formatted), MAX_FORMATTED) } : {};
  await lease.db.transaction().execute((tx) => storeAnswer(tx, lease, answer, fields));
}

function summaryBlock(results: RunResults): string {
  const ofPages = results.pages.flatMap(({ url, detail }) =>
    typeof detail.summary === 'string' ? [`${url}: ${shorten(detail.summary, MAX_FIELD)}`] : [],
  );
  return [summarize(results).summary ?? '', ...ofPages.slice(0, MAX_FINDINGS)].join('\n');
}

const totalOf = ({ counts }: RunResults): number => counts.reduce((sum, { count }) => sum + count, 0);

/** The findings as JSON. */
function findingsBlock(findings: readonly Finding[], total: number): string {
  const omitted = total - findings.length;
  const shown = JSON.stringify(findings.map(withoutDetails), null, 1);
  return `${shown}${omitted > 0 ? `\n(${omitted} more are left out)` : ''}`;
}

const withoutDetails = ({
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
