import type { Fields } from '../../lib/json.ts';
import { safeSnippet, safeText } from '../../lib/text/html.ts';
import type { Finding } from '../../shapes/agents/execution.ts';

/** What a finding says of its place and matter, by which it is known again in another run. */
export interface Anchor {
  issueType: string;
  title: string;
  description: string;
  /** The words it is about; empty where it is not about words. */
  targetText: string;
  occurrence: number;
  /** The words around those; empty where they are not known. */
  before: string;
  after: string;
  selector: string;
  xpath: string;
  snippet: string;
  /** The address it is about; empty where it is about none. */
  url: string;
}

const bare = (text: string): string => text.normalize('NFC').replace(/\s+/g, ' ').trim();
const words = (value: unknown): string => (typeof value === 'string' ? bare(value) : '');

/** Of a finding as a run wrote it. */
export const anchorOf = (finding: Finding): Anchor => ({
  issueType: finding.issueType,
  title: bare(safeText(finding.title)),
  description: bare(safeText(finding.description)),
  targetText: bare(finding.targetText),
  occurrence: finding.occurrence,
  before: bare(safeText(finding.context?.before ?? '')),
  after: bare(safeText(finding.context?.after ?? '')),
  selector: bare(finding.htmlSelector),
  xpath: bare(finding.targetElementXpath),
  snippet: bare(safeSnippet(finding.htmlSnippet ?? '')),
  url: finding.url ?? '',
});

/** Of a suggestion as it is kept on a document; people may have changed its words, and only those. */
export function anchorOfSuggestion(body: Fields): Anchor {
  const reason = ((body.agent as Fields | undefined)?.reason ?? {}) as Fields;
  const target = (body.targetElement ?? {}) as Fields;
  return {
    issueType: words(reason.issueType),
    title: words(reason.title),
    description: words(reason.description),
    targetText: words(target.targetText),
    occurrence: typeof target.occurrence === 'number' ? target.occurrence : 1,
    before: words(reason.textBefore),
    after: words(reason.textAfter),
    selector: words(reason.htmlSelector),
    xpath: words(reason.targetElementXpath),
    snippet: words(reason.htmlSnippet),
    url: typeof reason.url === 'string' ? reason.url : '',
  };
}
