import { z } from 'zod';
import { named } from '../named.ts';

const groupIdentity = {
  id: z.string(),
  name: z.string(),
  description: z.string().optional(),
  metadata: z.record(z.string(), z.unknown()),
  createdAt: z.number().describe('Epoch milliseconds.'),
  updatedAt: z.number().describe('Epoch milliseconds.'),
};

export const agentGroup = named(
  'AgentGroup',
  z.object({
    ...groupIdentity,
    agentIds: z.array(z.string()).describe('Ids of the members, in order.'),
  }),
);
export type AgentGroup = z.infer<typeof agentGroup>;

export const agentGroupSummary = named(
  'AgentGroupSummary',
  z.object({ ...groupIdentity, agentCount: z.number().int() }),
);
type AgentGroupSummary = z.infer<typeof agentGroupSummary>;

export const groupName = z.string().trim().min(1).max(200);
export const groupDescription = z.string().trim().max(2000);

interface Stored extends Omit<AgentGroup, 'id' | 'description'> {
  groupId: string;
  description: string | null;
}

export const showGroup = ({ agentIds, ...group }: Stored): AgentGroup => ({ ...identityOf(group), agentIds });

export const summarizeGroup = ({ agentIds, ...group }: Stored): AgentGroupSummary => ({
  ...identityOf(group),
  agentCount: agentIds.length,
});

const identityOf = ({
  groupId,
  name,
  description,
  metadata,
  createdAt,
  updatedAt,
}: Omit<Stored, 'agentIds'>) => ({
  id: groupId,
  name,
  ...(description !== null && { description }),
  metadata,
  createdAt,
  updatedAt,
});
