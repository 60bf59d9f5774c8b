import type { StoredJudgment } from '../../store/memory/judgments.ts';

/** Whether the page that led to a judgment gave orders to its reviewer; `body` is of the annotation judged. */
export const isPoisoned = (
  { agent }: Pick<StoredJudgment, 'agent'>,
  body: Record<string, unknown> | undefined,
): boolean =>
  agent?.injected === true || (body?.agent as { injected?: unknown } | undefined)?.injected === true;
