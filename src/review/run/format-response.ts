import { cutText, shorten } from '../../lib/text/cut-text.ts';
import { safeText } from '../../lib/text/html.ts';
import type { Outside } from '../../outside/outside.ts';
import { type Finding, severities } from '../../shapes/agents/execution.ts';
import { listPages, type PageRow } from '../../store/agents/execution-pages.ts';
import type { RunContext } from '../core/execution-strategy.ts';
import type { RunLease } from '../core/run-lease.ts';
import type { Run } from '../core/run-state.ts';
import { askAboutRun, storeAnswer } from '../cross-page/ask-about-run.ts';
import { summarize } from './results-summary.ts';

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
  const pages = await listPages(lease.db, lease.ref);
  if (pages.every((page) => page.status !== 'completed')) return;
  const question = {
    phase: 'formatting',
    instructions: `${INSTRUCTIONS}\n\n${formattingPrompt?.trim() || DEFAULT_FORM}`,
    blocks: [
      { name: 'summary', parts: [{ text: summaryBlock(pages) }] },
      { name: 'findings', parts: [{ text: findingsBlock(pages) }] },
    ],
  };
  const answer = await askAboutRun(run, question, context, outside);
  const formatted = answer.data?.trim();
  const fields = formatted ? { formatted: cutText(safeText(formatted), MAX_FORMATTED) } : {};
  await lease.db.transaction().execute((tx) => storeAnswer(tx, lease, answer, fields));
}

function summaryBlock(pages: PageRow[]): string {
  const ofPages = pages.flatMap(({ url, detail }) =>
    typeof detail.summary === 'string' ? [`${url}: ${shorten(detail.summary, MAX_FIELD)}`] : [],
  );
  return [summarize(pages).summary ?? '', ...ofPages.slice(0, MAX_FINDINGS)].join('\n');
}

/** The findings as JSON, the most severe first. */
function findingsBlock(pages: PageRow[]): string {
  const findings = pages
    .flatMap((page) => page.findings)
    .sort((a, b) => severities.indexOf(a.severity) - severities.indexOf(b.severity));
  const shown = findings.slice(0, MAX_FINDINGS).map(withoutDetails);
  const omitted = findings.length - shown.length;
  return `${JSON.stringify(shown, null, 1)}${omitted > 0 ? `\n(${omitted} more are left out)` : ''}`;
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
