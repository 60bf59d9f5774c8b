import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import type { Fields } from '../../lib/json.ts';
import { isScriptUrl } from '../../lib/text/html.ts';
import { safeSvg } from '../../lib/text/svg.ts';
import { withOtherProblems } from '../all-problems.ts';
import { organizationId, userId } from '../id-fields.ts';
import { named } from '../named.ts';

export const agentTypes = ['built-in', 'custom', 'external'] as const;
export const agentSources = ['platform', 'external'] as const;

const person = named(
  'Person',
  z.looseObject({ userId, name: z.string().optional(), email: z.string().optional() }),
);
const shortText = z.string().max(1_000);
const name = shortText.regex(/\S/, { error: 'must not be empty' });
const color = z.string().max(100);

const statusTypes = ['default', 'ongoing', 'terminal'] as const;

/** Predefined statuses, which need only their id. All others need more fields. */
const knownStatuses = new Map<string, object>([
  ['OPEN', { name: 'Open', type: 'default', color: '#625DF5', lightColor: '#E7E8FA' }],
  ['IN_PROGRESS', { name: 'In Progress', type: 'ongoing', color: '#C77F12', lightColor: '#FBF0DD' }],
  ['RESOLVED', { name: 'Resolved', type: 'terminal', color: '#1F8A5B', lightColor: '#DFF3EA' }],
]);

const statusFields = named(
  'NewStatus',
  z.looseObject({
    id: name.max(200),
    name: name.optional(),
    type: z.enum(statusTypes).optional().describe('`terminal` resolves the annotation.'),
    color: color.optional(),
    lightColor: color.optional(),
    svg: z
      .string()
      .max(20_000)
      .transform(safeSvg)
      .optional()
      .describe('SVG icon. Only its shapes are stored.'),
    iconUrl: z
      .string()
      .max(10_000)
      .refine((url) => !isScriptUrl(url), { error: 'must not be a script' })
      .optional(),
  }),
);

/** Requires these fields of a status that is not predefined. */
const statusWith = (...fields: ('name' | 'type' | 'color' | 'lightColor')[]) =>
  fields.reduce(
    (schema, field) =>
      schema.refine((status) => knownStatuses.has(status.id) || status[field] !== undefined, {
        ...withOtherProblems,
        path: [field],
        error: 'is required',
      }),
    statusFields,
  );

const newStatus = statusWith('name', 'type', 'color', 'lightColor').describe(
  '`OPEN`, `IN_PROGRESS` and `RESOLVED` need only an id; any other status also needs a name, type and colors.',
);
const changedStatus = statusWith('name', 'type').describe(
  '`OPEN`, `IN_PROGRESS` and `RESOLVED` need only an id; any other status also needs a name and type.',
);

export type Status = z.infer<typeof statusFields> & { name: string; type: (typeof statusTypes)[number] };

/** Completes a predefined status. */
export const completeStatus = (status: z.infer<typeof statusFields>): Status =>
  ({ ...knownStatuses.get(status.id), ...status }) as Status;

export const priority = named(
  'Priority',
  z
    .looseObject({ id: name.max(200), name, color: color.optional(), lightColor: color.optional() })
    .describe('For example `P0`.'),
);

export const location = named(
  'Location',
  z
    .looseObject({ id: name.max(512), locationName: shortText.optional() })
    .describe('Location within the document, assigned by the caller.'),
);

export const targetElement = named(
  'TargetElement',
  z
    .looseObject({
      elementId: z.string().optional(),
      targetText: z.string().optional(),
      occurrence: z.number().int().min(0).optional(),
      selectAllContent: z.boolean().optional(),
    })
    .describe('The text or element that the annotation is about.'),
);

const accessValue = z.union([z.string(), z.number(), z.boolean()]);
const context = z
  .looseObject({
    access: z
      .record(z.string(), z.union([accessValue, z.array(accessValue).max(200)]))
      .optional()
      .describe('Only users who have a matching value in one of these fields see the annotation.'),
  })
  .describe('Arbitrary data of the caller, returned unchanged.');

export const visibility = named(
  'Visibility',
  z
    .discriminatedUnion('type', [
      z.object({ type: z.literal('public') }),
      z.object({
        type: z.literal('organizationPrivate'),
        organizationId: organizationId.optional().describe("Defaults to the document's organization."),
        organizationIds: z.array(organizationId).max(1_000).optional(),
      }),
      z.object({ type: z.literal('restricted'), userIds: z.array(userId).min(1).max(1_000) }),
    ])
    .describe(
      'Who may see the annotation besides its author: all readers of the document, organizations, or certain users.',
    ),
);
export type Visibility = z.infer<typeof visibility>;

/** Alias of `visibility`, under which records contain it, so that a record can be sent back unchanged. */
const visibilityConfig = visibility.optional().describe('Same as `visibility`, under its name in records.');

/** Accepts visibility under either name, or under both with equal values. The output uses `visibility`. */
export const mergeVisibilityNames = <Schema extends z.ZodType>(
  schema: Schema,
): z.ZodType<z.output<Schema>, z.input<Schema>> =>
  schema
    .refine(
      (sent) => {
        const { visibility, visibilityConfig } = sent as Fields;
        return !visibility || !visibilityConfig || isDeepStrictEqual(visibility, visibilityConfig);
      },
      {
        ...withOtherProblems,
        error: 'visibility and visibilityConfig must say the same where both are sent.',
        path: ['visibilityConfig'],
      },
    )
    .transform((sent): z.output<Schema> => {
      const { visibilityConfig, ...others } = sent as Fields;
      return visibilityConfig === undefined
        ? sent
        : ({ ...others, visibility: visibilityConfig } as z.output<Schema>);
    });

const suggestionFields = {
  targetId: z.string().optional(),
  targetType: z.string().optional(),
  oldValue: z.unknown().optional(),
  newValue: z.unknown().optional(),
  summary: z.string().optional(),
  driftDetected: z.boolean().optional(),
};
const newSuggestion = named(
  'NewSuggestion',
  z.looseObject(suggestionFields).describe('The proposed change. A new suggestion is always pending.'),
);
const changedSuggestion = named(
  'SuggestionChange',
  z
    .looseObject({
      ...suggestionFields,
      status: z.enum(['pending', 'accepted', 'rejected']).optional(),
      rejectReason: z.string().optional(),
      resolvedBy: z.union([userId, person]).optional(),
      resolvedAt: z.number().int().min(0).optional().describe('Epoch milliseconds.'),
    })
    .describe('Replaces the whole suggestion. A decision is final.'),
);

const at = z.number().int().min(0).max(8_640_000_000_000_000).describe('Epoch milliseconds.');

const link = z.string().refine((url) => !isScriptUrl(url), { error: 'must not be a script' });
export const pageInfo = named(
  'PageInfo',
  z
    .looseObject({
      url: link.nullish(),
      baseUrl: link.nullish(),
      commentUrl: link.nullish(),
    })
    .describe('The web page of the annotation.'),
);

const pageFields = {
  pageInfo: pageInfo.optional(),
  isPageAnnotation: z.boolean().optional(),
  positionX: z.number().nullish(),
  positionY: z.number().nullish(),
  screenWidth: z.number().nullish(),
  screenHeight: z.number().nullish(),
  screenScrollHeight: z.number().nullish(),
  screenScrollTop: z.number().nullish(),
  metadata: z.record(z.string(), z.unknown()).optional(),
};

/** Fields of a new annotation, except its comments. */
export const annotationFields = {
  location: location.optional(),
  targetElement: targetElement.optional(),
  status: newStatus.optional(),
  assignedTo: person.optional(),
  context: context.optional(),
  createdAt: at.optional(),
  lastUpdated: at.optional(),
  priority: priority.optional(),
  type: z.enum(['comment', 'suggestion']).optional().describe('Defaults to `comment`.'),
  suggestion: newSuggestion.optional(),
  commentType: z.enum(['manual', 'chart', 'suggestion']).default('manual'),
  visibility: visibility.optional(),
  visibilityConfig,
  ...pageFields,
};

const someUsers = z.array(userId).max(1_000).optional();

/** Changes of annotations. Fields that are not sent keep their values; null removes a field. */
const annotationChanges = z.looseObject({
  location: location.nullish(),
  targetElement: targetElement.nullish(),
  from: person.optional().describe('The new author.'),
  status: changedStatus.optional(),
  statusUpdatedByUserId: userId.nullish(),
  resolvedByUserId: userId
    .nullish()
    .describe('Applies only to a terminal status; any other status clears it.'),
  assignedTo: person.nullish(),
  context: context.nullish(),
  priority: priority.nullish(),
  suggestion: changedSuggestion.optional(),
  visibility: visibility.optional(),
  visibilityConfig,
  ...pageFields,
});
export type AnnotationChanges = z.infer<typeof annotationChanges>;

/** Changes of annotations, and users who have viewed them. Viewing does not change the annotation. */
export const updatedAnnotation = mergeVisibilityNames(
  annotationChanges.extend({
    viewedByUserIds: someUsers.describe('Marks the annotations as read for these users.'),
    unviewedByUserIds: someUsers.describe('Marks the annotations as unread for these users.'),
  }),
);

/** Renames of users in annotations and comments. */
export const userChanges = z
  .array(z.object({ oldUser: person, newUser: person }))
  .min(1)
  .max(1_000);
export type UserChanges = z.infer<typeof userChanges>;
