import { type DraftFinding, severities } from '../../shapes/agents/execution.ts';
import { CROSS_PAGE_ISSUE, crossPageRules } from '../core/cross-page-rules.ts';
import type { LogLine } from '../core/execution-strategy.ts';

/** A deviation in a model's answer. Fields that providers do not enforce are unknown and checked when read. */
export interface Deviation {
  page: number;
  title: string;
  description: string;
  severity?: unknown;
  targetText?: unknown;
  suggestion?: unknown;
}

/** Draft findings by URL of their page; deviations of pages that do not exist become log lines. */
export function draftsByPage(
  deviations: Deviation[],
  pages: readonly { url: string }[],
): { drafts: Map<string, DraftFinding[]>; notes: LogLine[] } {
  const drafts = new Map<string, DraftFinding[]>();
  const notes: LogLine[] = [];
  for (const deviation of deviations) {
    const page = pages[deviation.page - 1];
    if (!page) {
      notes.push({
        level: 'warn',
        message: `The model names a page that does not exist (${deviation.page}); the deviation is ignored: ${deviation.title}`,
      });
      continue;
    }
    drafts.set(page.url, [...(drafts.get(page.url) ?? []), draftOf(deviation)]);
  }
  return { drafts, notes };
}

function draftOf({ title, description, severity, targetText, suggestion }: Deviation): DraftFinding {
  const words = text(targetText);
  return {
    title,
    description,
    severity: severities.find((known) => known === severity) ?? crossPageRules[CROSS_PAGE_ISSUE].severity,
    issueType: CROSS_PAGE_ISSUE,
    suggestion: text(suggestion),
    confidence: 80,
    ...(words === '' ? { isPageLevel: true } : { targetText: words }),
  };
}

const text = (value: unknown): string => (typeof value === 'string' ? value.trim() : '');
