import { z } from 'zod';
import { write } from '../../http/endpoint.ts';
import { shownName } from '../../shapes/workspace.ts';
import { renameWorkspace, requireWorkspace } from '../../store/platform/workspaces.ts';

export default write({
  path: '/v2/workspace/update',
  auth: 'workspace',
  summary: 'Rename the workspace.',
  description:
    'Only the displayed name changes: the id, the owner, the token and the API keys stay the same.',
  data: z.object({ name: shownName }).meta({ examples: [{ name: 'Acme Europe' }] }),
  result: z.object({ id: z.string(), name: z.string() }),
  message: 'Workspace updated successfully.',
  failures: { ALREADY_EXISTS: 'The owner has another workspace with this name.' },
  audit: {
    action: 'workspace.renamed',
    before: async (_data, { db, caller }) => ({
      name: (await requireWorkspace(db, caller.workspaceId)).name,
    }),
  },

  async handle({ name }, { tx, caller: { workspaceId } }) {
    await renameWorkspace(tx, workspaceId, name);
    return { id: workspaceId, name };
  },
});
