import { addUsage, NO_USAGE, type TokenBudget, type TokenUsage } from '../../outside/models/models.ts';

/** What an execution may spend in all, on however many pages at once; `spent` is what an earlier process used. */
export function createBudget(tokens: number, spent = 0): TokenBudget {
  let left = tokens - spent;
  return {
    left: () => left,
    spend: ({ totalTokens }) => {
      left -= totalTokens;
    },
  };
}

/** The same budget, with an account of what is spent through this one. */
export function meterOf(budget: TokenBudget): { budget: TokenBudget; spent(): TokenUsage | undefined } {
  let sum = NO_USAGE;
  return {
    budget: {
      left: () => budget.left(),
      spend(usage) {
        sum = addUsage(sum, usage);
        budget.spend(usage);
      },
    },
    spent: () => (sum === NO_USAGE ? undefined : sum),
  };
}
