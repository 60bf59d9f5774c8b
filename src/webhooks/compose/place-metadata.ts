import type { Named, WebhookPlace } from '../../store/webhooks/event-facts.ts';

/** What is known of a place; undefined what is gone. */
export interface NamedPlace {
  document: Named | undefined;
  organization: Named | undefined;
}

/** Where something happened, as messages say it. */
export const placeMetadata = (
  { apiKeyId, organizationId, documentId }: WebhookPlace,
  { document, organization }: NamedPlace,
) => ({
  apiKey: apiKeyId,
  document: { documentId, ...(document && { documentName: document.name }) },
  ...(document && { documentMetadata: document.metadata }),
  organization: { organizationId, ...(organization && { organizationName: organization.name }) },
  ...(organization && { organizationMetadata: organization.metadata }),
});
