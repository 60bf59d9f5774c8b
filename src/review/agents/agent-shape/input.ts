import { z } from 'zod';

const names = z.array(z.string());

/** What a run of the agent needs from its caller. */
export const input = z.looseObject({
  variableKeys: names.optional().describe('Variables that a run must bring.'),
  userContextFields: z
    .array(
      z.looseObject({
        id: z.string().min(1),
        title: z.string().min(1),
        type: z.enum(['string', 'number', 'boolean']),
        required: z.boolean().optional(),
        example: z.string().optional(),
        defaultValue: z.union([z.string(), z.number(), z.boolean()]).optional(),
      }),
    )
    .optional(),
  inputRequirements: z
    .looseObject({ requires: names.optional(), requiresOneOf: names.optional() })
    .optional(),
  supportedVariables: names.optional().describe('Template variables that the agent may use.'),
});

const globs = z.array(z.string().min(1).max(200)).max(200);

/** Which pages the agent looks at. */
export const scope = z.looseObject({
  pageScope: globs.optional().describe('URL globs of the pages it runs on.'),
  pageScopeExclude: globs.optional().describe('URL globs of pages left out.'),
  contentTypes: names
    .optional()
    .describe(
      'Media types of the pages it looks at, such as `text/html` or `text/*`; other words are for people.',
    ),
  crossPage: z
    .looseObject({
      enabled: z.boolean(),
      targetProperty: z.string().describe('What must agree on all pages.'),
      pageDiscovery: z.enum(['auto', 'manual']),
      pages: names
        .optional()
        .describe('The pages, where they are not discovered, read from the address of the run.'),
      sourceOfTruthKnowledgeSourceId: z
        .string()
        .optional()
        .describe('Uploaded knowledge that the pages are compared with, beside each other.'),
    })
    .optional(),
});
