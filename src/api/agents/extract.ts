import { z } from 'zod';
import { call } from '../../http/endpoint.ts';
import { modelFailures } from '../../outside/models/model-api-error.ts';
import { modelProviders } from '../../outside/models/models.ts';
import { agentFields } from '../../review/agents/agent-shape/agent-shape.ts';
import { MAX_AGENTS } from '../../review/authoring/agent-draft.ts';
import { extractAgents } from '../../review/authoring/extract-agents.ts';
import { documentedAs, named } from '../../shapes/named.ts';

const draft = named('AgentDraft', documentedAs(agentFields, z.looseObject({ name: z.string() }), 'input'));

/** Room for a file of 5 MiB in base64, and the rest of the request. */
const BODY_BYTES = 10_485_760;

export default call({
  path: '/v2/agents/extract',
  auth: 'apiKey',
  availableWhenFull: true,
  isHeavy: true,
  summary: 'Draft agents from a checklist in a file.',
  description: `Reads PDF, XLSX, CSV, plain text or Markdown of at most 5 MiB, and returns at most ${MAX_AGENTS} agents that can be sent to agents/create. None is stored. Without a configured language model, each row or list item becomes an agent.`,
  data: z
    .object({
      fileBase64: z
        .string()
        .min(1)
        .refine((text) => Buffer.from(text, 'base64').toString('base64') === text, {
          error: 'must be base64',
        })
        .describe('Content of the file, in base64.'),
      mimeType: z
        .string()
        .min(1)
        .describe(
          'application/pdf, text/csv, text/plain, text/markdown or application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.',
        ),
      provider: z
        .enum(modelProviders)
        .optional()
        .describe(
          'Provider whose language model reads the file. Defaults to the provider of the installation.',
        ),
      fileName: z.string().max(1_000).optional().describe('Stored in the metadata of the agents.'),
    })
    .meta({
      examples: [
        {
          fileBase64: Buffer.from('- All links work\n- Every picture has an alternative text\n').toString(
            'base64',
          ),
          mimeType: 'text/plain',
          fileName: 'checklist.txt',
        },
      ],
    }),
  result: z.object({
    extractionResult: z.object({
      agents: z.array(draft).describe('Can be sent to agents/create.'),
      summary: z.string(),
      skipped: z
        .array(z.object({ originalText: z.string(), reason: z.string() }))
        .describe('Parts of the file that no agent was made from.'),
    }),
  }),
  message: 'Agents extracted successfully',
  bodyLimitBytes: BODY_BYTES,
  failures: {
    INVALID_ARGUMENT: 'The file is not of its type, cannot be read, or is too large.',
    ...modelFailures,
  },

  async handle({ fileBase64, mimeType, provider, fileName }, { outside, settings, caller }) {
    const extractionResult = await extractAgents(
      { bytes: Buffer.from(fileBase64, 'base64'), mimeType, fileName },
      provider,
      { ...outside, owner: caller.apiKeyId, checkUrl: settings.checkUrl, tokens: settings.runTokens },
    );
    return { extractionResult };
  },
});
