import type { TokenBudget } from '../outside/models/models.ts';

/** What an execution may spend in all, on however many pages at once. */
export function createBudget(tokens: number): TokenBudget {
  let left = tokens;
  return {
    left: () => left,
    spend: ({ totalTokens }) => {
      left -= totalTokens;
    },
  };
}
