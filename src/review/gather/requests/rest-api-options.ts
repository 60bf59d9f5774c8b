import { z } from 'zod';
import { placeholders } from '../../../lib/text/template.ts';
import { auth } from '../../../shapes/agents/auth.ts';

export const MAX_RESPONSE_BYTES = 5_000_000;

const text = z.record(z.string(), z.string());

/** An HTTP endpoint that an agent names, whose response is gathered for each page. */
export const restApiEndpoint = z.looseObject({
  id: z.string().optional().describe('Stable id of the endpoint.'),
  name: z.string().optional(),
  description: z.string().describe('Shown in the prompt next to the URL and the response.'),
  url: z
    .string()
    .refine(
      (url) => placeholders(url).length > 0 || /^https?:\/\//i.test(url),
      'must begin with http:// or https://, or contain a {{template}}',
    )
    .describe('May contain {{variables}}. The address is checked when it is fetched.'),
  method: z.enum(['GET', 'POST', 'PUT', 'PATCH', 'DELETE']).default('GET'),
  headers: text.optional().describe('Headers without secrets. Values may contain {{variables}}.'),
  query: z
    .record(z.string(), z.union([z.string(), z.number(), z.boolean()]))
    .optional()
    .describe('Query parameters. Values may contain {{variables}}.'),
  body: z
    .union([z.string(), z.record(z.string(), z.unknown())])
    .optional()
    .describe('Body for write methods. May contain {{variables}}.'),
  auth: auth.optional(),
  cacheTtlSeconds: z.number().int().min(0).max(86_400).default(0),
  timeoutMs: z.number().int().min(1).max(30_000).default(10_000),
  responsePath: z.string().optional().describe('Dot path of the part of the JSON response to use.'),
});
export type RestApiEndpoint = z.infer<typeof restApiEndpoint>;

export const restApiOptions = z.looseObject({
  endpoints: z.array(restApiEndpoint).min(1).max(10),
  maxResponseBytes: z
    .number()
    .int()
    .min(1)
    .max(MAX_RESPONSE_BYTES)
    .default(1_000_000)
    .describe('Maximum response size of each endpoint, in bytes.'),
});
