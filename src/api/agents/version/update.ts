import { z } from 'zod';
import { write } from '../../../http/endpoint.ts';
import { parseData } from '../../../http/request/parse.ts';
import { deepMerge } from '../../../lib/deep-merge.ts';
import {
  keepSecrets,
  openMetadata,
  openSecrets,
  redactSecrets,
  sealMetadata,
  sealSecrets,
} from '../../../review/agents/agent-secrets.ts';
import { newVersion, versionChange, versionDraft } from '../../../review/agents/agent-shape/agent-shape.ts';
import { refuseMovedSecrets } from '../../../review/agents/moved-secrets.ts';
import { insertAgentVersion, lockAgentBehavior } from '../../../store/agents/agent-versions.ts';

export default write({
  path: '/v2/agents/version/update',
  auth: 'apiKey',
  summary: 'Change the behavior of a custom agent, as a new version.',
  description:
    'Objects are merged deeply; lists and single values are replaced, and so is `auth`, which null removes. A secret that is omitted or sent as `__redacted__` keeps its value; entries of a list are matched by id, or by position if they have none. No secret is kept beside an address that changes to another origin: send it again.',
  data: versionDraft.meta({
    examples: [{ agentId: 'agent_1a2B3cD4eF5gH6jK7mN8', scope: { pageScopeExclude: ['**/archive/**'] } }],
  }),
  result: z.object({ version: z.number().int() }),
  message: 'Agent version created successfully',
  failures: { NOT_FOUND: 'The agent does not exist or is not a custom agent.' },
  audit: {
    action: 'agent.version_created',
    of: ({ agentId }, { version }) => ({ id: agentId as string, after: { version } }),
  },

  async handle(data, { tx, caller, keyring, settings }) {
    const { agentId, ...change } = parseData(versionChange, data);
    const owner = { apiKeyId: caller.apiKeyId, agentId };
    const stored = await lockAgentBehavior(tx, caller, agentId);
    const { auth, ...others } = redactSecrets(stored.behavior);
    const isAuthChanged = Object.hasOwn(change, 'auth');
    const before = { ...others, ...(auth !== undefined && !isAuthChanged && { auth }), metadata: {} };
    const { auth: nextAuth, ...rest } = change;
    const merged = deepMerge(before, isAuthChanged && nextAuth !== null ? change : rest);
    const storedMetadata = openMetadata(stored.agent.metadata, keyring, owner);
    const opened = { ...openSecrets(stored.behavior, keyring, owner), metadata: storedMetadata };
    const next = keepSecrets(merged, opened);
    refuseMovedSecrets(merged, next, opened);
    parseData(newVersion(settings.checkUrl), next);
    const { metadata, ...behavior } = next as { metadata: Record<string, unknown> };
    const version = await insertAgentVersion(tx, caller, stored.agent, {
      behavior: sealSecrets(behavior, keyring, owner),
      metadata: sealMetadata(deepMerge(storedMetadata, metadata), keyring, owner),
    });
    return { version };
  },
});
