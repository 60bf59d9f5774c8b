import { z } from 'zod';
import { write } from '../../../http/endpoint.ts';
import { endSignInsOfWorkspace } from '../../../store/identity/accounts.ts';
import { resetWorkspaceToken } from '../../../store/platform/workspaces.ts';

export default write({
  path: '/v2/workspace/token/reset',
  auth: 'workspace',
  availableWhenFull: true,
  summary: 'Replace the token of the workspace.',
  description:
    'The previous token stops working immediately, and so do the sessions and personal tokens of the account to which it signs in to the console, except for the session that asks. Tokens of API keys stay: workspace/authtoken/reset replaces those.',
  data: z.object({}),
  dataOptional: true,
  result: z.object({
    id: z.string(),
    newAuthToken: z.string().describe('Secret that authenticates all workspace-level requests.'),
  }),
  message: 'Workspace token reset successfully.',
  audit: { action: 'workspace.token_reset', of: (_data, { id }) => ({ id }) },

  async handle(_data, { tx, caller: { workspaceId, member }, keyring, revoke }) {
    const newAuthToken = await resetWorkspaceToken(tx, keyring, workspaceId);
    revoke(workspaceId);
    const accountId = await endSignInsOfWorkspace(tx, workspaceId, member?.credentialId);
    if (accountId !== undefined) revoke(accountId);
    return { id: workspaceId, newAuthToken };
  },
});
