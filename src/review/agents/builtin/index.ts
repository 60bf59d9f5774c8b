import { accessibilityChecker } from './accessibility-checker.ts';
import { brokenLinks } from './broken-links.ts';
import type { BuiltinAgent } from './builtin-agent.ts';
import { crawler } from './crawler.ts';
import { docsCodeComparison } from './docs-code-comparison.ts';
import { grammarCheck } from './grammar-check.ts';
import { lighthouse } from './lighthouse-audit.ts';
import { loremIpsum } from './lorem-ipsum.ts';
import { ogImageChecker } from './og-image-checker.ts';
import { piiDetection } from './pii-detection.ts';
import { profanityFilter } from './profanity-filter.ts';
import { screenshot } from './screenshot.ts';
import { sensitiveData } from './sensitive-data.ts';
import { spellCheck } from './spell-check.ts';

/** In the order of the API's list. A new agent also needs an entry in `shapes/agents/builtin-agents.ts`. */
export const builtinAgents: readonly BuiltinAgent[] = [
  spellCheck,
  grammarCheck,
  brokenLinks,
  piiDetection,
  profanityFilter,
  sensitiveData,
  lighthouse,
  accessibilityChecker,
  ogImageChecker,
  loremIpsum,
  screenshot,
  crawler,
  docsCodeComparison,
];

const byId = new Map<string, BuiltinAgent>(builtinAgents.map((agent) => [agent.agentId, agent]));

export const findBuiltin = (agentId: string): BuiltinAgent | undefined => byId.get(agentId);

export const isBuiltin = (agentId: string): boolean => byId.has(agentId);
