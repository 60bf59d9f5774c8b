import { createHmac } from 'node:crypto';
import { z } from 'zod';
import { read } from '../../http/endpoint.ts';
import { MAX_BATCH } from '../../shapes/batch.ts';
import { callerAssignedId, userId } from '../../shapes/id-fields.ts';
import { accessRole } from '../../shapes/permission.ts';

export default read({
  path: '/v2/auth/generate_signature',
  auth: 'apiKey',
  role: 'owner',
  summary: 'Sign the response of a permission provider.',
  description:
    'The signature is the HMAC-SHA256 of the permissions as sent, in hex. It depends on the API key: the same permissions always have the same signature with one key, and a different signature with another key.',
  data: z
    .object({
      permissions: z
        .array(
          z.object({
            userId,
            resourceId: callerAssignedId,
            type: z.enum(['document', 'folder', 'organization']),
            hasAccess: z.boolean(),
            accessRole: accessRole.optional().describe('Applies to documents.'),
            expiresAt: z
              .number()
              .int()
              .min(1)
              .max(Number.MAX_SAFE_INTEGER)
              .optional()
              .describe('Epoch milliseconds.'),
          }),
        )
        .min(1)
        .max(MAX_BATCH),
    })
    .meta({
      examples: [
        { permissions: [{ userId: 'eve', resourceId: 'website', type: 'document', hasAccess: true }] },
      ],
    }),
  result: z.object({ signature: z.string().describe('64 hex digits.') }),
  message: 'Signature generated successfully.',

  async handle({ permissions }, { caller, keyring }) {
    const signature = createHmac('sha256', keyring.derive('permission signatures'))
      .update(JSON.stringify([caller.apiKeyId, permissions]))
      .digest('hex');
    return { signature };
  },
});
