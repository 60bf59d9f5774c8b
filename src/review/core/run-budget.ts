import { addUsage, NO_USAGE, type TokenBudget, type TokenUsage } from '../../outside/models/models.ts';

/** Token budget that all pages of an execution share; `spent` is the usage of earlier attempts. */
export function createBudget(tokens: number, spent = 0): TokenBudget {
  let left = tokens - spent;
  return {
    left: () => left,
    spend: ({ totalTokens }) => {
      left -= totalTokens;
    },
  };
}

/** Wraps a budget and sums up what is spent through the wrapper. */
export function meteredBudget(budget: TokenBudget): { budget: TokenBudget; spent(): TokenUsage | undefined } {
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
