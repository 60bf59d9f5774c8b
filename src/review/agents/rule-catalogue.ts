import { asObject, type Fields } from '../../lib/json.ts';
import { type Rule, rulesOf } from '../../shapes/agents/rule.ts';
import { crossPageRules } from '../core/cross-page-rules.ts';
import { injectionRules } from '../injection/injection-findings.ts';
import { services } from '../services/index.ts';
import type { Service } from '../services/review-service.ts';
import { builtinAgents } from './builtin/index.ts';

type RuleOfSource = Omit<Rule, 'agents'>;

/** The rules of each service that were read. Those of libraries are the same for the life of the process. */
const read = new Map<Service, Promise<RuleOfSource[]>>();

function rulesOfService(service: Service): Promise<RuleOfSource[]> {
  const known = read.get(service);
  if (known) return known;
  const rules = readRules(service).catch((error: unknown) => {
    read.delete(service);
    throw error;
  });
  read.set(service, rules);
  return rules;
}

async function readRules({ rules }: Service): Promise<RuleOfSource[]> {
  if (!rules) return [];
  const { category, table } = rules;
  return rulesOf(category, typeof table === 'function' ? await table() : table);
}

/** The issue types that an agent with this behavior may report by rule. */
export async function rulesOfAgent({ execution, scope }: Fields): Promise<Map<string, RuleOfSource>> {
  const { executionStrategy = 'ai', serviceId } = asObject(execution);
  const usesService = executionStrategy === 'service' || executionStrategy === 'service+ai';
  const service = usesService ? services.find(({ id }) => id === serviceId) : undefined;
  const found = [
    ...(service ? await rulesOfService(service) : []),
    ...(executionStrategy === 'service' ? [] : rulesOf('security', injectionRules)),
    ...(asObject(asObject(scope).crossPage).enabled === true ? rulesOf('consistency', crossPageRules) : []),
  ];
  return new Map(found.map((rule) => [rule.issueType, rule]));
}

/** Every issue type that is found by rule, ordered by name, with the built-in agents that report it. */
export async function listRules(): Promise<Rule[]> {
  const ofServices = await Promise.all(services.map(rulesOfService));
  const known = [
    ...ofServices.flat(),
    ...rulesOf('security', injectionRules),
    ...rulesOf('consistency', crossPageRules),
  ];
  const catalogue = new Map<string, Rule>();
  for (const rule of known) {
    // axe-core and Lighthouse share rules; the former, which comes first, says more about them.
    if (!catalogue.has(rule.issueType)) catalogue.set(rule.issueType, { ...rule, agents: [] });
  }
  for (const { agentId, behavior } of builtinAgents) {
    for (const [issueType, rule] of await rulesOfAgent(behavior)) {
      catalogue.set(issueType, joined(catalogue.get(issueType)!, rule, agentId));
    }
  }
  return [...catalogue.values()].sort((one, other) => (one.issueType < other.issueType ? -1 : 1));
}

/** An issue type that one more agent reports, perhaps with other severities. */
function joined(known: Rule, rule: RuleOfSource, agentId: string): Rule {
  const severities = new Set([
    known.defaultSeverity,
    ...known.otherSeverities.map(({ severity }) => severity),
  ]);
  const own = [
    { severity: rule.defaultSeverity, when: `The agent ${agentId} reports it.` },
    ...rule.otherSeverities,
  ];
  return {
    ...known,
    agents: [...known.agents, agentId],
    otherSeverities: [
      ...known.otherSeverities,
      ...own.filter(({ severity }) => !severities.has(severity) && severities.add(severity)),
    ],
  };
}
