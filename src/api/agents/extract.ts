import { z } from 'zod';
import { call } from '../../http/endpoint.ts';
import { modelFailures } from '../../outside/models/model-api-error.ts';
import { modelProviders } from '../../outside/models/models.ts';
import { extractAgents } from '../../review/authoring/extract-agents.ts';
import { MAX_AGENTS } from '../../review/authoring/extraction.ts';

/** A file of 5 MiB in base64 and the rest of the request. */
const BODY_BYTES = 10_485_760;

export default call({
  path: '/v2/agents/extract',
  auth: 'apiKey',
  storesNothing: true,
  isHeavy: true,
  summary: 'Make agents of a checklist in a file.',
  description: `Reads PDF, XLSX, CSV, plain text and Markdown of at most 5 MiB, and answers at most ${MAX_AGENTS} agents as create takes them; none is stored. Where no language model is configured, they are made by rule: one of each row, or of each item of a list.`,
  data: z
    .object({
      fileBase64: z
        .string()
        .min(1)
        .refine((text) => Buffer.from(text, 'base64').toString('base64') === text, {
          error: 'must be base64',
        })
        .describe('The file, in base64.'),
      mimeType: z
        .string()
        .min(1)
        .describe(
          'application/pdf, text/csv, text/plain, text/markdown or application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.',
        ),
      provider: z
        .enum(modelProviders)
        .optional()
        .describe("Whose language model reads the file. By default the installation's own."),
      fileName: z.string().max(1_000).optional().describe('Kept in the metadata of the agents.'),
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
      agents: z.array(z.looseObject({ name: z.string() })).describe('As create takes them.'),
      summary: z.string(),
      skipped: z
        .array(z.object({ originalText: z.string(), reason: z.string() }))
        .describe('What no agent was made of.'),
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
