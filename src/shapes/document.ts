import { z } from 'zod';
import { itemResult, MAX_BATCH } from './batch.ts';
import { documentId } from './id-fields.ts';
import { named } from './named.ts';

export const accessType = named(
  'AccessType',
  z
    .enum(['public', 'organizationPrivate', 'restricted'])
    .describe(
      '`public`: any user; `organizationPrivate`: users of the organization; `restricted`: only users with a grant on the document or a folder around it.',
    ),
);
export type AccessType = z.infer<typeof accessType>;

/** New documents. Additional fields of the caller are stored and returned. */
export const newDocuments = z
  .array(
    named(
      'NewDocument',
      z.looseObject({
        documentId,
        documentName: z.string().max(1_000).optional(),
        accessType: accessType
          .optional()
          .describe(
            "Defaults to the access type of its folder, then to the API key's `defaultDocumentAccessType`.",
          ),
      }),
    ),
  )
  .min(1)
  .max(MAX_BATCH)
  .describe('Additional fields of each entry are stored as metadata.');
export type NewDocument = z.infer<typeof newDocuments>[number];

export const document = named(
  'Document',
  z.looseObject({
    id: z.string().describe('The documentId.'),
    documentName: z.string(),
    disabled: z.boolean(),
    accessType,
    folderId: z.string().optional(),
  }),
);
export type Document = z.infer<typeof document>;

/** Placeholder for a requested document that does not exist. */
export const missingDocument = named(
  'MissingDocument',
  z.object({
    id: z.string(),
    success: z.literal(false),
    message: z.literal('Document does not exist'),
    code: z.literal('not-found'),
  }),
);

export const documentAccessResult = z.record(
  z.string(),
  itemResult.omit({ id: true }).extend({
    accessType: accessType
      .nullable()
      .describe('Null if the document inherits that of its folder or API key.'),
  }),
);

export const documentDisabledResult = z.record(
  z.string(),
  itemResult.omit({ id: true }).extend({ disabled: z.boolean() }),
);

const filterKey = z
  .string()
  .min(1)
  .max(200)
  .describe('A built-in field of the document record, or a metadata field.');
const several = z.array(z.unknown()).min(1).max(30);

/** A condition on a field; documents without the field do not match. */
export const documentFilter = named(
  'DocumentFilter',
  z.discriminatedUnion('operator', [
    z.object({
      key: filterKey,
      operator: z.enum(['==', '!=', '<', '<=', '>', '>=', 'array-contains']),
      value: z.union([z.string(), z.number(), z.boolean(), z.null()]),
    }),
    z.object({ key: filterKey, operator: z.enum(['in', 'not-in', 'array-contains-any']), value: several }),
  ]),
);
export type DocumentFilter = z.infer<typeof documentFilter>;
