import { z } from 'zod';
import { placeholders } from '../../../lib/text/template.ts';
import { auth } from '../../../shapes/agents/auth.ts';

/** A remote server whose tools the model may call. */
export const mcpServer = z.strictObject({
  id: z.string().min(1),
  url: z
    .string()
    .refine((url) => /^https?:\/\//i.test(url) || placeholders(url).length > 0, {
      error: 'must begin with http:// or https://, or hold a {{template}}',
    })
    .describe('Internal, loopback and link-local hosts are refused.'),
  name: z.string().optional(),
  description: z.string().optional(),
  transport: z.literal('http').default('http'),
  auth: auth.optional(),
  allowedTools: z.array(z.string().min(1)).optional().describe('Only these tools are shown and callable.'),
  timeoutMs: z.number().int().min(1).max(120_000).default(30_000),
});

/**
 * The address as far as it is known before a run: templates that only stand in port, path or query are filled
 * with something harmless. Undefined where a template decides on the host.
 */
export function literalUrl(url: string): string | undefined {
  const authority = /^https?:\/\/([^/?#\\]*)/i.exec(url)?.[1];
  if (authority === undefined || authority.replace(/:\{\{[^{}]*\}\}$/, '').includes('{{')) return undefined;
  return url.replaceAll(/\{\{[^{}]*\}\}/g, '80');
}
