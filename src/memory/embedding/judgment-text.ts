import type { Decision } from '../../shapes/memory/judgment.ts';

export type TextKind = 'review' | 'content';

const decisionWords: Record<Decision, string> = {
  approve: 'approved',
  reject: 'rejected',
  comment: 'comment',
  resolve: 'resolved',
  in_progress: 'in progress',
  agree: 'agreed',
  disagree: 'disagreed',
  endorse: 'endorsed',
};

/**
 * What a judgment is found by: its decision and reasoning, or what was reviewed. The vector of a kind is of this
 * text and so are its words; null where there is nothing to find it by, as of a judgment without content.
 */
export function textOf(
  judgment: { decision: string; reasoning: string; content: string | null },
  kind: TextKind,
): string | null {
  if (kind === 'content') return judgment.content?.trim() ? judgment.content : null;
  const word = decisionWords[judgment.decision as Decision] ?? judgment.decision;
  // The model finds reasons better where they come first.
  return judgment.reasoning.trim() ? `${judgment.reasoning} (${word})` : word;
}
