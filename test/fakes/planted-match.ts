import type { Planted } from './planted-site.ts';

/** A finding of a run. */
export interface Found {
  agent: string;
  page: string;
  issueType: string;
  targetText: string;
  htmlSelector: string;
}

/** Pairs each planted fault with one finding, and each finding with one fault. */
export function matchPlanted<F extends Found>(planted: readonly Planted[], found: readonly F[]) {
  const free = new Set(found);
  // Faults with a quote are matched first, so that a fault with only an issue type takes no finding of theirs.
  const ordered = [...planted].sort((a, b) => rank(a) - rank(b));
  const missed = ordered.filter((fault) => {
    const match = [...free].find((finding) => fits(fault, finding));
    if (match) free.delete(match);
    return !match;
  });
  const matched = planted.length - missed.length;
  return {
    missed,
    invented: [...free],
    recall: matched / planted.length,
    precision: matched / found.length,
  };
}

const rank = ({ quote, selector }: Planted) => (quote ? 0 : selector ? 1 : 2);

function fits(fault: Planted, found: Found): boolean {
  if (fault.agent !== found.agent || fault.page !== found.page) return false;
  if (fault.selector !== undefined && !found.htmlSelector.includes(fault.selector)) return false;
  if (fault.issueType && !fault.issueType.test(found.issueType)) return false;
  if (fault.quote === undefined) return true;
  const [target, quote] = [found.targetText, fault.quote];
  return target !== '' && (target.includes(quote) || quote.includes(target));
}
