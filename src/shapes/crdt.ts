import { z } from 'zod';
import { withOtherProblems } from './all-problems.ts';
import { callerAssignedId, documentId, organizationId, userId } from './id-fields.ts';
import { named } from './named.ts';

/** Maximum request body, which may contain a whole document. */
export const CRDT_BODY_BYTES = 10_485_760;
/** Larger content is written in a worker thread. */
export const SMALL_BODY_BYTES = 16_384;

export const editorTypes = ['text', 'map', 'array', 'xml'] as const;
export type EditorType = (typeof editorTypes)[number];

export const editorId = callerAssignedId.describe('Editor id within the document, assigned by the caller.');
export const onEditor = { organizationId, documentId, editorId };

const type = z
  .enum(editorTypes)
  .describe('Type of the content: `text`, `map` and `array` as in JSON, `xml` as in rich-text editors.');
const contentKey = z
  .string()
  .min(1)
  .max(512)
  .default('content')
  .describe('Name under which the editor stores its content; TipTap editors use `default`.');
const data = z.unknown().meta({
  description: 'A string for `text` and `xml`, an object for `map`, a list for `array`.',
  anyOf: [{ type: 'string' }, { type: 'object', additionalProperties: true }, { type: 'array', items: {} }],
});

const WANTED: Record<EditorType, [what: string, fits: (value: unknown) => boolean]> = {
  text: ['a string', (value) => typeof value === 'string'],
  xml: ['a string', (value) => typeof value === 'string'],
  map: ['an object', (value) => typeof value === 'object' && value !== null && !Array.isArray(value)],
  array: ['an array', Array.isArray],
};

/** The complete content of an editor. */
export const editorContent = z
  .object({ ...onEditor, type, data, contentKey })
  .superRefine((content, context) => {
    const issue = (message: string) => context.addIssue({ code: 'custom', path: ['data'], message });
    if (content.data === undefined) return issue('is required');
    // The type may be invalid here, because this check also runs if other fields are invalid.
    const wanted = editorTypes.includes(content.type) ? WANTED[content.type] : undefined;
    if (wanted && !wanted[1](content.data)) issue(`Data must be ${wanted[0]} for type ${content.type}.`);
  }, withOtherProblems)
  .meta({
    examples: [
      {
        organizationId: 'acme',
        documentId: 'website',
        editorId: 'notes',
        type: 'text',
        data: 'Hello, world.',
      },
    ],
  });

const content = z
  .unknown()
  .describe(
    'A string, an object or a list, depending on the type. If live clients created the editor, the type is inferred from its content.',
  );

export const storedEditor = named(
  'Editor',
  z.object({
    id: z.string().describe('The editorId.'),
    data: content,
    lastUpdate: z.iso.datetime(),
    lastUpdatedBy: z.string().nullable().describe('A userId; null if a backend wrote last.'),
    sessionId: z.string().nullable().describe('Id of the connection that wrote last.'),
  }),
);

export const snapshotId = callerAssignedId.describe('Snapshot id, as returned by its creation.');
const onSnapshot = { ...onEditor, snapshotId };
export const snapshotRef = z.object(onSnapshot).meta({
  examples: [
    {
      organizationId: 'acme',
      documentId: 'website',
      editorId: 'notes',
      snapshotId: 'snapshot_1a2B3cD4eF5gH6jK7mN8',
    },
  ],
});

export const newSnapshot = z.object({
  ...onEditor,
  name: z.string().regex(/\S/, { error: 'must not be empty' }).max(500).optional(),
  createdBy: userId.optional().describe('Author of the snapshot, shown in the list of snapshots.'),
});

const snapshotFields = {
  snapshotId: z.string(),
  name: z.string(),
  createdAt: z.number().describe('Epoch milliseconds.'),
  createdBy: z.string().nullable(),
  bytes: z.number().int().describe('Size of the stored content.'),
};
export const snapshot = named('Snapshot', z.object(snapshotFields));
export type Snapshot = z.infer<typeof snapshot>;
export const snapshotWithContent = named(
  'SnapshotWithContent',
  z.object({ ...snapshotFields, id: z.string(), data: content }),
);
