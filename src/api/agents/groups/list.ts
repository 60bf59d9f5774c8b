import { z } from 'zod';
import { read } from '../../../http/endpoint.ts';
import { agentGroupSummary, summarizeGroup } from '../../../shapes/agents/agent-group.ts';
import { listAgentGroups } from '../../../store/agents/agent-groups.ts';

export default read({
  path: '/v2/agents/groups/list',
  auth: 'apiKey',
  summary: 'List agent groups, newest first.',
  description:
    'All groups are returned at once, with the number of their members instead of the ids; agents/groups/get returns the ids.',
  data: z.strictObject({}),
  result: z.object({ groups: z.array(agentGroupSummary) }),
  message: 'Agent groups fetched successfully',

  handle: async (_data, { db, caller }) => ({
    groups: (await listAgentGroups(db, caller)).map(summarizeGroup),
  }),
});
