import type { AgentRule } from '@redpen/client';
import { useKeyQuery } from '../data/use-key-query.ts';

/** The rules of all agents by issue type. Those that a model made up have none. */
export function useRules(): ReadonlyMap<string, AgentRule> | undefined {
  const { data } = useKeyQuery(['rules'], async (redpen, signal) => {
    const rules = new Map<string, AgentRule>();
    let pageToken: string | undefined;
    do {
      const page = await redpen.agents.rules({ pageSize: 500, ...(pageToken && { pageToken }) }, { signal });
      for (const rule of page.rules) rules.set(rule.issueType, rule);
      pageToken = page.nextPageToken;
    } while (pageToken);
    return rules;
  });
  return data;
}

export const useRule = (issueType: string): AgentRule | undefined => useRules()?.get(issueType);
