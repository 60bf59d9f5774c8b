import { z } from 'zod';
import { authTokenIdOf, MEMBER_TOKEN_HOURS, USER_TOKEN_HOURS } from '../../access/user-token.ts';
import type { Db } from '../../db/tables.ts';
import { call } from '../../http/endpoint.ts';
import { failedPrecondition, invalidArgument, permissionDenied } from '../../lib/errors.ts';
import type { TokenMaker } from '../../lib/scope.ts';
import { userId } from '../../shapes/id-fields.ts';
import { isFuture, resource, toTokenGrant } from '../../shapes/permission.ts';
import { rememberContact } from '../../store/access/token-contacts.ts';
import { lastingToken } from '../../store/platform/api-keys.ts';
import { rememberUser } from '../../store/users/user-profiles.ts';

/** Tokens are sent in a header; longer ones would exceed the header limit. */
const MAX_TOKEN_LENGTH = 48_000;
const MAX_RESOURCES = 300;

const origin = z
  .url({ protocol: /^https?$/, error: 'must be an origin, such as https://app.example.com' })
  .max(500)
  .refine((text) => isOrigin(text), { error: 'must be an origin, such as https://app.example.com' })
  .transform((text) => new URL(text).origin)
  .describe(
    'Only pages of this origin may use the token, such as `https://app.example.com`. Requests without an `Origin` header are refused too, except for those that a browser sends to its own origin.',
  );

/** True for a URL without user, path, query and fragment. */
function isOrigin(text: string): boolean {
  const url = URL.parse(text);
  return url !== null && url.href === `${url.origin}/` && !/[?#]/.test(text);
}

export default call({
  path: '/v2/auth/generate_token',
  auth: 'apiKey',
  availableWhenFull: true,
  summary: 'Create a token with which the browser of an end user calls the API.',
  description: `The token is a JWT that is valid for ${USER_TOKEN_HOURS} hours, signed with Ed25519; \`GET /.well-known/jwks.json\` returns the public keys. Send it as \`authorization: Bearer <token>\`. Resetting the API key's token revokes it. In the console, editors make tokens of themselves: their \`accountId\` is then the \`userId\`, and the token is valid for ${MEMBER_TOKEN_HOURS} hours. A token that is made in the console ends with the role of the member who made it.`,
  data: z
    .object({
      userId,
      userProperties: z
        .object({
          isAdmin: z
            .boolean()
            .default(false)
            .describe('True makes the user an editor of every granted organization.'),
          name: z.string().max(1_000),
          email: z.string().max(1_000),
          organizationId: z
            .undefined({ error: 'is not allowed here: grant the organization as a resource instead' })
            .optional()
            .describe('Rejected here: grant the organization as a resource.'),
        })
        .describe('Properties of the user.'),
      origin: origin.optional(),
      permissions: z.object({
        resources: z
          .array(resource.refine(isFuture, { path: ['expiresAt'], error: 'must lie in the future' }))
          .max(MAX_RESOURCES),
      }),
    })
    .meta({
      examples: [
        {
          userId: 'eve',
          userProperties: { name: 'Eve', email: 'eve@example.com' },
          permissions: {
            resources: [
              { type: 'organization', id: 'acme' },
              { type: 'document', id: 'website', organizationId: 'acme', accessRole: 'viewer' },
            ],
          },
        },
      ],
    }),
  result: z.object({ token: z.string().describe('A signed JWT.') }),
  message: 'Token generated successfully.',
  role: 'editor',
  failures: {
    PERMISSION_DENIED: 'A member of the workspace who is no owner makes tokens only as themselves.',
  },

  async handle({ userId, userProperties, permissions, origin }, { caller, db, userTokens, transaction }) {
    const { member } = caller;
    const isOwn = userId === member?.accountId;
    // A token of another user would open what is meant for that user.
    if (member && member.role !== 'owner' && !isOwn) {
      throw permissionDenied(
        'Only owners of the workspace make tokens of other users: userId must be your accountId.',
      );
    }
    const { name, email, isAdmin } = userProperties;
    const { resources } = permissions;
    const madeBy: TokenMaker | undefined = member && {
      accountId: member.accountId,
      role: isOwn ? 'editor' : 'owner',
    };
    const claims = {
      ...{ userId, name, email, isAdmin, resources },
      ...(origin !== undefined && { origin }),
      ...(madeBy && { madeBy }),
    };
    const authTokenId = caller.authTokenId ?? (await oldestToken(db, caller.apiKeyId));
    const hours = isOwn ? MEMBER_TOKEN_HOURS : USER_TOKEN_HOURS;
    const token = await userTokens.sign(caller.apiKeyId, authTokenId, claims, hours);
    if (token.length > MAX_TOKEN_LENGTH) {
      throw invalidArgument(
        'permissions.resources contains more than fits into a token; store some of them.',
      );
    }
    await transaction(async (tx) => {
      await rememberUser(tx, caller, { userId, name, email });
      await rememberContact(tx, caller, userId, resources.map(toTokenGrant));
    });
    return { token };
  },
});

/** The auth token under which a member, who has none, makes tokens. */
async function oldestToken(db: Db, apiKeyId: string): Promise<string> {
  const oldest = await lastingToken(db, apiKeyId);
  if (!oldest) throw failedPrecondition('The API key has no auth token, under which user tokens are made.');
  return authTokenIdOf(oldest.tokenHash);
}
