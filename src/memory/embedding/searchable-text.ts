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
 * The text of a judgment that is embedded and searched for words: decision and reasoning (`review`), or the reviewed
 * text (`content`). Null if there is no such text.
 */
export function searchableText(
  judgment: { decision: string; reasoning: string; content: string | null },
  kind: TextKind,
): string | null {
  if (kind === 'content') return judgment.content?.trim() ? judgment.content : null;
  const word = decisionWords[judgment.decision as Decision] ?? judgment.decision;
  // The model matches reasons better if they come first.
  return judgment.reasoning.trim() ? `${judgment.reasoning} (${word})` : word;
}
