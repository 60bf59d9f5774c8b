import { z } from 'zod';
import { write } from '../../../../http/endpoint.ts';
import { bodyCredentialsLimit, keyOfBody } from '../../../../http/request/body-credentials.ts';
import { bodyCredentials, location } from '../../../../shapes/annotations/location.ts';
import { documentId, organizationId } from '../../../../shapes/id-fields.ts';
import { NO_ORGANIZATION } from '../../../../shapes/organization.ts';
import { moveLocation } from '../../../../store/annotations/locations.ts';

export default write({
  path: '/v1/organizations/documents/locations/update',
  auth: 'public',
  summary: 'Move everything on one location of a document to another location.',
  description: 'The request body contains the credentials of the API key.',
  data: z
    .object({
      ...bodyCredentials,
      organizationId: organizationId.default(NO_ORGANIZATION),
      documentId,
      migrate: z
        .object({ oldLocation: location, newLocation: location })
        .refine(({ oldLocation, newLocation }) => oldLocation.id !== newLocation.id, {
          path: ['newLocation'],
          error: 'oldLocation and newLocation must differ.',
        }),
      merge: z.boolean().default(false).describe('If true, the new location may already have data.'),
    })
    .meta({
      examples: [
        {
          apiKey: 'key_1a2B3cD4eF5gH6jK7mN8',
          authToken: 'token-of-the-api-key',
          organizationId: 'acme',
          documentId: 'website',
          migrate: {
            oldLocation: { id: 'prices' },
            newLocation: { id: 'plans', locationName: 'Plans' },
          },
        },
      ],
    }),
  result: z.null(),
  message: 'Location updated.',
  rateLimit: bodyCredentialsLimit('location'),
  failures: {
    UNAUTHENTICATED: 'The API key or its token is wrong.',
    NOT_FOUND: 'The document does not exist.',
    FAILED_PRECONDITION: 'The new location already has data, and `merge` is false.',
  },

  async handle({ apiKey, authToken, organizationId, documentId, migrate, merge }, { tx }) {
    const { scope } = await keyOfBody(tx, { apiKey, authToken });
    const { oldLocation: from, newLocation: to } = migrate;
    await moveLocation(tx, scope, { organizationId, documentId }, { from, to, merge });
    return null;
  },
});
