import { z } from 'zod';
import { write } from '../../../../../http/endpoint.ts';
import { bodyCredentialsLimit, keyOfBody } from '../../../../../http/request/body-credentials.ts';
import { bodyCredentials, location } from '../../../../../shapes/annotations/location.ts';
import { documentId, organizationId } from '../../../../../shapes/id-fields.ts';
import { NO_ORGANIZATION } from '../../../../../shapes/organization.ts';
import { deleteLocationData } from '../../../../../store/annotations/locations.ts';

export default write({
  path: '/v1/organizations/documents/locations/data/delete',
  auth: 'public',
  availableWhenFull: true,
  summary: 'Delete the annotations and notifications on one location of a document.',
  description: 'The request body contains the credentials of the API key.',
  data: z
    .object({
      ...bodyCredentials,
      organizationId: organizationId.default(NO_ORGANIZATION),
      documentId,
      location,
    })
    .meta({
      examples: [
        {
          apiKey: 'key_1a2B3cD4eF5gH6jK7mN8',
          authToken: 'token-of-the-api-key',
          organizationId: 'acme',
          documentId: 'website',
          location: { id: 'prices' },
        },
      ],
    }),
  result: z.null(),
  message: 'Data deleted successfully.',
  rateLimit: bodyCredentialsLimit('location'),
  failures: {
    UNAUTHENTICATED: 'The API key or its token is wrong.',
    NOT_FOUND: 'The document does not exist.',
  },

  async handle({ apiKey, authToken, organizationId, documentId, location }, { tx }) {
    const { scope } = await keyOfBody(tx, { apiKey, authToken });
    await deleteLocationData(tx, scope, { organizationId, documentId }, location.id);
    return null;
  },
});
