import type { Fields } from '../../lib/json.ts';
import { safeSnippet, safeText } from '../../lib/text/html.ts';
import type { Finding } from '../../shapes/agents/execution.ts';

/** Subject and place of a finding, by which another run recognizes it. */
export interface Anchor {
  issueType: string;
  title: string;
  description: string;
  /** Quoted words; empty if the finding is not about words. */
  targetText: string;
  occurrence: number;
  /** Words around the quote; empty if they are not known. */
  before: string;
  after: string;
  selector: string;
  xpath: string;
  snippet: string;
  /** Address that the finding is about, such as a broken link; empty if there is none. */
  url: string;
}

const normalized = (text: string): string => text.normalize('NFC').replace(/\s+/g, ' ').trim();
const textIn = (value: unknown): string => (typeof value === 'string' ? normalized(value) : '');

/** The parts of a finding by which it is recognized. */
type Recognized = Pick<
  Finding,
  | 'issueType'
  | 'title'
  | 'description'
  | 'targetText'
  | 'occurrence'
  | 'context'
  | 'htmlSelector'
  | 'targetElementXpath'
  | 'htmlSnippet'
  | 'url'
>;

export const anchorOf = (finding: Recognized): Anchor => ({
  issueType: finding.issueType,
  title: normalized(safeText(finding.title)),
  description: normalized(safeText(finding.description)),
  targetText: normalized(finding.targetText),
  occurrence: finding.occurrence,
  before: normalized(safeText(finding.context?.before ?? '')),
  after: normalized(safeText(finding.context?.after ?? '')),
  selector: normalized(finding.htmlSelector),
  xpath: normalized(finding.targetElementXpath),
  snippet: normalized(safeSnippet(finding.htmlSnippet ?? '')),
  url: finding.url ?? '',
});

/** Anchor of a stored suggestion. People may edit its text, so the anchor comes from `agent.reason`, which they cannot. */
export function anchorOfSuggestion(body: Fields): Anchor {
  const reason = ((body.agent as Fields | undefined)?.reason ?? {}) as Fields;
  const target = (body.targetElement ?? {}) as Fields;
  return {
    issueType: textIn(reason.issueType),
    title: textIn(reason.title),
    description: textIn(reason.description),
    targetText: textIn(target.targetText),
    occurrence: typeof target.occurrence === 'number' ? target.occurrence : 1,
    before: textIn(reason.textBefore),
    after: textIn(reason.textAfter),
    selector: textIn(reason.htmlSelector),
    xpath: textIn(reason.targetElementXpath),
    snippet: textIn(reason.htmlSnippet),
    url: typeof reason.url === 'string' ? reason.url : '',
  };
}
