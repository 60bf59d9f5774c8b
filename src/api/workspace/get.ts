import { z } from 'zod';
import { read } from '../../http/endpoint.ts';
import { workspace } from '../../shapes/workspace.ts';
import { listApiKeysOf } from '../../store/platform/api-keys.ts';
import { requireWorkspace, workspaceTokenBinding } from '../../store/platform/workspaces.ts';

export default read({
  path: '/v2/workspace/get',
  auth: 'workspace',
  summary: 'Get the workspace with its owner and API keys.',
  description:
    'The answer contains `authToken`, which authenticates all workspace-level requests, so treat it as a secret. It lists all API keys; workspace/apikeys/get returns them in pages.',
  data: z.object({}),
  dataOptional: true,
  result: workspace,
  message: 'Workspace retrieved successfully',

  async handle(_data, { db, caller, keyring }) {
    const { workspaceId, ...row } = await requireWorkspace(db, caller.workspaceId);
    const keys = await listApiKeysOf(db, workspaceId);
    return {
      id: workspaceId,
      name: row.name,
      owner: { email: row.ownerEmail, id: row.ownerId, name: row.ownerName, avatar: row.ownerAvatar },
      authToken: keyring.open(row.tokenSealed, workspaceTokenBinding(workspaceId)),
      apiKeyList: Object.fromEntries(
        keys.map(({ apiKeyId, name, type }) => [apiKeyId, { apiKeyName: name, id: apiKeyId, type }]),
      ),
    };
  },
});
