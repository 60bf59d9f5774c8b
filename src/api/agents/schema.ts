import { z } from 'zod';
import { read } from '../../http/endpoint.ts';
import { agentForm } from '../../review/agents/agent-shape/form-schema.ts';
import { named } from '../../shapes/named.ts';

const jsonSchema = z.record(z.string(), z.unknown());

export default read({
  path: '/v2/agents/schema',
  auth: 'apiKey',
  summary: 'Get the JSON Schema of the configuration of an agent, for forms.',
  description:
    'The schemas are those by which agents/create validates. Each property has `x-ui`: `title`, `order`, `widget`, `secret` for values that are never returned, and `showIf` with the field and the values for which the property applies. Rules between fields are only checked when an agent is created or changed.',
  data: z.object({}).meta({ examples: [{}] }),
  dataOptional: true,
  result: named(
    'AgentSchema',
    z.object({
      version: z.string().describe('Changes whenever one of the schemas does.'),
      agent: jsonSchema.describe('Schema of the request of agents/create.'),
      gatherStrategies: z
        .record(z.string(), jsonSchema)
        .describe('Schemas of the options in `contextGathering.strategyOptions`, by strategy.'),
      executionOptions: z
        .record(z.string(), jsonSchema)
        .describe('Schemas of the options in `execution.strategyOptions`, by strategy or service.'),
    }),
  ),
  message: 'Schema fetched successfully',

  handle: async () => agentForm(),
});
