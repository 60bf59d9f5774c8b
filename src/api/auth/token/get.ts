import { z } from 'zod';
import { authTokenIdOf } from '../../../access/user-token.ts';
import { call } from '../../../http/endpoint.ts';
import { bodyCredentialsLimit, keyOfBody } from '../../../http/request/body-credentials.ts';
import { apiKeyId, organizationId, userId } from '../../../shapes/id-fields.ts';
import { toTokenGrant } from '../../../shapes/permission.ts';
import { rememberContact } from '../../../store/access/token-contacts.ts';
import { rememberUser } from '../../../store/users/user-profiles.ts';

export default call({
  path: '/v1/auth/token/get',
  auth: 'public',
  availableWhenFull: true,
  summary: 'Create a user token, limited to one organization.',
  description:
    'Earlier form of auth/generate_token. The request body contains the credentials of the API key.',
  data: z
    .object({
      apiKey: apiKeyId,
      authToken: z
        .string({ error: 'Auth token not found.' })
        .min(1, { error: 'Auth token not found.' })
        .max(500),
      userId,
      userProperties: z.object({
        organizationId,
        isAdmin: z.boolean().default(false),
        name: z.string().max(1_000).optional(),
        email: z.string().max(1_000).optional(),
      }),
    })
    .meta({
      examples: [
        {
          apiKey: 'key_1a2B3cD4eF5gH6jK7mN8',
          authToken: 'token-of-the-api-key',
          userId: 'eve',
          userProperties: { organizationId: 'acme', email: 'eve@example.com' },
        },
      ],
    }),
  result: z.object({ token: z.string().describe('A signed JWT.') }),
  message: 'Token generated successfully.',
  rateLimit: bodyCredentialsLimit('token'),
  failures: { UNAUTHENTICATED: 'The API key or its token is wrong.' },

  async handle({ apiKey, authToken, userId, userProperties }, { db, userTokens, transaction }) {
    const { scope, tokenHash } = await keyOfBody(db, { apiKey, authToken });
    const { organizationId, isAdmin, name = '', email = '' } = userProperties;
    const resources = [{ type: 'organization' as const, id: organizationId }];
    const claims = { userId, name, email, isAdmin, resources };
    const token = await userTokens.sign(apiKey, authTokenIdOf(tokenHash), claims);
    await transaction(async (tx) => {
      await rememberUser(tx, scope, { userId, name, email });
      await rememberContact(tx, scope, userId, resources.map(toTokenGrant));
    });
    return { token };
  },
});
