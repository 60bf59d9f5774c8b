import { expect } from 'vitest';
import { findBuiltin } from '../../src/review/agents/builtin/index.ts';
import { rulesOfAgent } from '../../src/review/agents/rule-catalogue.ts';
import type { DraftFinding } from '../../src/shapes/agents/execution.ts';

/** Fails for a finding of a service that the catalogue of rules lacks, or explains with other severities. */
export async function expectKnownRules(
  agentId: string,
  findings: readonly Pick<DraftFinding, 'issueType' | 'severity'>[],
): Promise<void> {
  const rules = await rulesOfAgent(findBuiltin(agentId)!.behavior);
  const unexplained = findings.filter(({ issueType, severity }) => {
    const rule = rules.get(issueType);
    if (!rule) return true;
    return (
      rule.defaultSeverity !== severity && !rule.otherSeverities.some((one) => one.severity === severity)
    );
  });
  expect(unexplained.map(({ issueType, severity }) => `${agentId}: ${issueType} ${severity}`)).toEqual([]);
}
