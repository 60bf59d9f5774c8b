import type { Finding } from '../../shapes/agents/execution.ts';
import type { PageScreenshot } from '../../shapes/agents/execution-record.ts';
import type { PageContext, TaskResult } from '../core/execution-strategy.ts';
import type { Gathered } from '../core/gathered.ts';
import { isEnabled, type Run, screenshotsOf } from '../core/run-state.ts';
import { completeFindings } from './finding-to-annotation.ts';
import { guardrails } from './guardrails.ts';
import { lookAtPage, type PageToLookAt } from './look-at-page.ts';
import { withSeverities } from './own-severities.ts';

/**
 * Runs the stages of post-processing that need no database: guardrails, positions, contexts of quotes. Without `page`,
 * findings get no positions and no screenshot is taken.
 */
export async function filterFindings(
  run: Run,
  url: string,
  result: TaskResult,
  gathered: readonly Gathered[],
  context: Pick<PageContext, 'log' | 'signal' | 'once' | 'storeArtifact'>,
  page: PageToLookAt | undefined,
): Promise<{ findings: Finding[]; screenshot?: PageScreenshot | undefined }> {
  const stages = run.behavior.postProcess ?? {};
  const byModel = run.behavior.execution?.executionStrategy !== 'service';
  const complete = withSeverities(completeFindings(result.findings, url, byModel), run.request);
  const kept = isEnabled(stages.guardrails) ? guardrails(complete) : complete;
  const wanted = {
    positions: isEnabled(stages.pinResolution),
    screenshots: screenshotsOf(run),
    checksSelectors: result.llmModel !== undefined,
  };
  const { findings, screenshot } = page
    ? await lookAtPage(kept, page, wanted, context)
    : { findings: kept, screenshot: undefined };
  for (const name of stages.customProcessors ?? []) {
    context.once(`custom processor ${name}`, () =>
      context.log({
        level: 'warn',
        message: `There is no custom processor named ${name}; it is ignored.`,
      }),
    );
  }
  return { findings: withQuoteContext(findings, gathered), screenshot };
}

/** Length of the context on each side: enough to recognize the place after a sentence nearby was edited. */
const CONTEXT_CHARS = 60;

/** Adds the words around each quote, from the gathered text of the page, to tell apart equal quotes in several places. */
function withQuoteContext(findings: Finding[], gathered: readonly Gathered[]): Finding[] {
  const { text } = (gathered.find(({ name }) => name === 'web-page-text')?.data ?? {}) as { text?: unknown };
  if (typeof text !== 'string') return findings;
  const singleLine = text.replace(/\s+/g, ' ');
  return findings.map((finding) => {
    const target = finding.targetText.replace(/\s+/g, ' ').trim();
    const start = finding.context ? -1 : indexOfOccurrence(singleLine, target, finding.occurrence);
    if (start < 0) return finding;
    const end = start + target.length;
    return {
      ...finding,
      context: {
        before: singleLine.slice(Math.max(0, start - CONTEXT_CHARS), start).trim(),
        after: singleLine.slice(end, end + CONTEXT_CHARS).trim(),
      },
    };
  });
}

/** Index of an occurrence counted from 1, or of the last one if there are fewer. */
function indexOfOccurrence(text: string, target: string, occurrence: number): number {
  if (target === '') return -1;
  let at = -1;
  for (let count = 0; count < occurrence; count++) {
    const next = text.indexOf(target, at < 0 ? 0 : at + target.length);
    if (next < 0) return at;
    at = next;
  }
  return at;
}
