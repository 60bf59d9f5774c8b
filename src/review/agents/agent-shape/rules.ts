import { allowHostHint } from '../../../lib/allow-host-hint.ts';
import type { Issue } from '../../../lib/errors.ts';
import type { Fields } from '../../../lib/json.ts';
import { asList } from '../../../lib/json.ts';
import type { CheckUrl } from '../../../outside/net/ssrf-guard.ts';
import { strategiesThatNeedOptions } from '../../gather/index.ts';
import { redactedIssues } from '../agent-secrets.ts';

/**
 * Violations of rules between the fields of an agent. The agent may be invalid in other ways, since all problems are
 * reported at once, so its type is unknown.
 */
export const ruleIssues = (agent: unknown, checkUrl: CheckUrl): Issue[] => [
  ...gatheringIssues(agent),
  ...executionIssues(agent),
  ...serverIssues(agent, checkUrl),
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
        `contextGathering.strategyOptions must have options for ${name}, since strategies contains it.`,
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
            'execution.mcpServers must have at least one server with the strategy mcp-tools.',
          ),
        ]),
  ];
}

function serverIssues(agent: unknown, checkUrl: CheckUrl): Issue[] {
  const servers = asList(at(agent, 'execution', 'mcpServers'));
  const refused = servers.flatMap((server, index) => {
    const url = at(server, 'url');
    const literal = typeof url === 'string' ? literalUrl(url) : undefined;
    if (literal === undefined || checkUrl(literal) === undefined) return [];
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

/** Own property at a path within any value. */
function at(value: unknown, ...path: string[]): unknown {
  return path.reduce<unknown>(
    (inner, key) =>
      typeof inner === 'object' && inner !== null && Object.hasOwn(inner, key)
        ? (inner as Fields)[key]
        : undefined,
    value,
  );
}

/**
 * The URL with harmless values for the templates in port, path and query, so that the guard can check its host.
 * Undefined if the host itself is a template.
 */
function literalUrl(url: string): string | undefined {
  const authority = /^https?:\/\/([^/?#\\]*)/i.exec(url)?.[1];
  if (authority === undefined || authority.replace(/:\{\{[^{}]*\}\}$/, '').includes('{{')) return undefined;
  return url.replaceAll(/\{\{[^{}]*\}\}/g, '80');
}
