import { z } from 'zod';
import type { AllowedFields } from './pick-fields.ts';

/** The webhook message of an event. Text is optional in `data`, because data protection and truncation remove it. */
export interface WebhookEvent {
  description: string;
  source: string;
  /** The verb of the event, as basic webhooks name it. */
  actionType: string;
  /** Replaces `actionType` for a special case of the event. */
  otherActionType?: string;
  /** Sent only to endpoints whose filter names the event. */
  optIn?: true;
  data: z.ZodObject;
  /** Fields of `data` that data protection and truncation keep: ids, types and numbers, no personal data. */
  allowed: AllowedFields;
  /** An example of `data`. */
  sample: Record<string, unknown>;
}

export const allowedPerson = { userId: true } as const;
export const allowedPlace = { organizationId: true, documentId: true, folderId: true } as const;

export const SAMPLE_TIME = 1_767_260_000_000;
export const samplePlace = { organizationId: 'acme', documentId: 'pricing-page' };
export const ana = { userId: 'ana', name: 'Ana Sousa', email: 'ana@acme.example' };
export const ben = { userId: 'ben', name: 'Ben Okoro', email: 'ben@acme.example' };

export const person = z.looseObject({
  userId: z.string(),
  name: z.string().optional(),
  email: z.string().optional(),
});

const fields = z.record(z.string(), z.unknown());

/** The organization and document of a comment or editor. */
export const metadata = z
  .looseObject({
    apiKey: z.string(),
    document: z.looseObject({ documentId: z.string(), documentName: z.string().optional() }),
    documentMetadata: fields.optional(),
    organization: z.looseObject({ organizationId: z.string(), organizationName: z.string().optional() }),
    organizationMetadata: fields.optional(),
    pageInfo: fields.optional(),
    locationId: z.number().optional(),
    location: fields.optional(),
  })
  .describe('The organization, document and page. Names are those of the moment when the message was made.');

export const allowedMetadata = {
  apiKey: true,
  document: { documentId: true },
  organization: { organizationId: true },
  locationId: true,
  location: { id: true },
} as const;

export const sampleMetadata = {
  apiKey: 'key_4Rk1',
  document: { documentId: 'pricing-page', documentName: 'Pricing' },
  documentMetadata: { team: 'web' },
  organization: { organizationId: 'acme', organizationName: 'Acme' },
  organizationMetadata: {},
  pageInfo: { url: 'https://www.acme.example/pricing' },
};
