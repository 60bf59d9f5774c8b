import type { Finding } from '../../shapes/agents/execution.ts';
import type { Gathered } from '../core/gathered.ts';

/** Enough to tell one place from another, and to find it again after a sentence nearby was edited. */
const CHARS = 60;

/** Notes the words around what a finding quotes, where the page's text was gathered; they tell places of equal words apart. */
export function withQuoteContext(findings: Finding[], gathered: readonly Gathered[]): Finding[] {
  const { text } = (gathered.find(({ name }) => name === 'web-page-text')?.data ?? {}) as { text?: unknown };
  if (typeof text !== 'string') return findings;
  const single = text.replace(/\s+/g, ' ');
  return findings.map((finding) => {
    const target = finding.targetText.replace(/\s+/g, ' ').trim();
    const at = finding.context ? -1 : placeOf(single, target, finding.occurrence);
    if (at < 0) return finding;
    const end = at + target.length;
    return {
      ...finding,
      context: {
        before: single.slice(Math.max(0, at - CHARS), at).trim(),
        after: single.slice(end, end + CHARS).trim(),
      },
    };
  });
}

function placeOf(text: string, target: string, occurrence: number): number {
  if (target === '') return -1;
  let at = -1;
  for (let count = 0; count < occurrence; count++) {
    const next = text.indexOf(target, at < 0 ? 0 : at + target.length);
    if (next < 0) return at;
    at = next;
  }
  return at;
}
