import { allowHostHint } from '../../../lib/allow-host-hint.ts';
import type { Issue } from '../../../lib/errors.ts';
import { asList } from '../../../lib/json.ts';
import { strategiesThatNeedOptions } from '../../gather/index.ts';
import { redactedIssues } from '../agent-secrets.ts';

/** Answers why the outbound guard would refuse a URL; undefined where nothing speaks against it. */
export type JudgeUrl = (url: string) => unknown;

/**
 * What must hold between the fields of an agent. It runs on agents with other faults too, so that a caller
 * sees all of them at once, and hence takes nothing for granted.
 */
export const ruleIssues = (agent: unknown, judgeUrl: JudgeUrl): Issue[] => [
  ...gatheringIssues(agent),
  ...executionIssues(agent),
  ...serverIssues(agent, judgeUrl),
  ...redactedIssues(agent),
  ...repeatedIds(agent, ['input', 'userContextFields']),
  ...repeatedIds(agent, ['contextGathering', 'strategyOptions', 'rest-api', 'endpoints']),
];

function gatheringIssues(agent: unknown): Issue[] {
  const strategies = at(agent, 'contextGathering', 'strategies');
  return strategiesThatNeedOptions
    .filter(
      (name) =>
        includes(strategies, name) && at(agent, 'contextGathering', 'strategyOptions', name) === undefined,
    )
    .map((name) =>
      issue(
        ['contextGathering', 'strategyOptions', name],
        `contextGathering.strategyOptions must hold options for ${name}, since strategies contains it.`,
      ),
    );
}

function executionIssues(agent: unknown): Issue[] {
  const strategy = at(agent, 'execution', 'executionStrategy');
  if (strategy === 'service' || strategy === 'service+ai') {
    if (at(agent, 'execution', 'serviceId') !== undefined) return [];
    return [
      issue(['execution', 'serviceId'], `execution.serviceId is required with the strategy ${strategy}.`),
    ];
  }
  if (strategy === 'stagehand-agent') {
    const strategies = at(agent, 'contextGathering', 'strategies');
    if (Array.isArray(strategies) && strategies.length === 1 && strategies[0] === 'none') return [];
    return [
      issue(
        ['contextGathering', 'strategies'],
        "contextGathering.strategies must be ['none'] with the strategy stagehand-agent.",
      ),
    ];
  }
  if (strategy !== 'mcp-tools') return [];
  const instructions = at(agent, 'instructions');
  const servers = at(agent, 'execution', 'mcpServers');
  return [
    ...(typeof instructions === 'string' && /\S/.test(instructions)
      ? []
      : [issue(['instructions'], 'instructions must not be empty with the strategy mcp-tools.')]),
    ...(servers !== undefined && !(Array.isArray(servers) && servers.length === 0)
      ? []
      : [
          issue(
            ['execution', 'mcpServers'],
            'execution.mcpServers must hold at least one server with the strategy mcp-tools.',
          ),
        ]),
  ];
}

function serverIssues(agent: unknown, judgeUrl: JudgeUrl): Issue[] {
  const servers = asList(at(agent, 'execution', 'mcpServers'));
  const refused = servers.flatMap((server, index) => {
    const url = at(server, 'url');
    const literal = typeof url === 'string' ? literalUrl(url) : undefined;
    if (literal === undefined || judgeUrl(literal) === undefined) return [];
    return [
      issue(
        ['execution', 'mcpServers', index, 'url'],
        `execution.mcpServers[${index}].url is not an address that may be asked: internal, loopback and link-local hosts are refused. ${allowHostHint(literal)}`,
      ),
    ];
  });
  return [...refused, ...repeatedIds(agent, ['execution', 'mcpServers'])];
}

function repeatedIds(agent: unknown, path: string[]): Issue[] {
  const ids = asList(at(agent, ...path)).map((item) => at(item, 'id'));
  return ids.flatMap((id, index) =>
    typeof id === 'string' && ids.indexOf(id) < index
      ? [
          issue(
            [...path, index, 'id'],
            `${path.join('.')}[${index}].id is used by another entry of the list.`,
          ),
        ]
      : [],
  );
}

const issue = (path: (string | number)[], message: string): Issue => ({ path, code: 'custom', message });

const includes = (list: unknown, name: string): boolean => Array.isArray(list) && list.includes(name);

/** The own property that a path leads to, of whatever value. */
function at(value: unknown, ...path: string[]): unknown {
  return path.reduce<unknown>(
    (inner, key) =>
      typeof inner === 'object' && inner !== null && Object.hasOwn(inner, key)
        ? (inner as Record<string, unknown>)[key]
        : undefined,
    value,
  );
}

/**
 * The address as far as it is known before a run: templates that only stand in port, path or query are filled
 * with something harmless. Undefined where a template decides on the host.
 */
function literalUrl(url: string): string | undefined {
  const authority = /^https?:\/\/([^/?#\\]*)/i.exec(url)?.[1];
  if (authority === undefined || authority.replace(/:\{\{[^{}]*\}\}$/, '').includes('{{')) return undefined;
  return url.replaceAll(/\{\{[^{}]*\}\}/g, '80');
}
