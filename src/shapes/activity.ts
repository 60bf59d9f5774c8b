import { z } from 'zod';
import { MAX_BATCH } from './batch.ts';
import { organizationId, userId } from './id-fields.ts';
import { user } from './user.ts';

export const activityId = organizationId.describe('Activity, as the caller names it.');
export const targetEntityId = z
  .string()
  .min(1)
  .max(512)
  .describe('What was acted on, such as an annotation.');
export const featureType = z.enum(['comment', 'reaction', 'recorder', 'crdt', 'custom']);
export const actionType = z.string().min(1).max(200).describe('What was done, such as `comment.add`.');

const fields = z.record(z.string(), z.unknown());

const details = {
  targetSubEntityId: z.string().max(512).optional().describe('A part of the target, such as a comment.'),
  changes: z
    .record(z.string(), z.object({ from: z.unknown().optional(), to: z.unknown().optional() }))
    .optional()
    .describe('By field: what it was and what it is.'),
  entityData: fields.optional(),
  entityTargetData: fields.optional(),
  displayMessageTemplate: z.string().max(10_000).optional().describe('With variables as `{{name}}`.'),
  displayMessageTemplateData: fields.optional().describe('The values of the variables.'),
  actionIcon: z.string().max(2_000).optional(),
  isActivityResolverUsed: z
    .boolean()
    .optional()
    .describe('Whether the content is kept by the caller and fetched from there.'),
};

const actionUser = user.extend({ userId }).describe('Who did it.');

export const newActivities = z
  .array(
    z
      .object({
        id: activityId.optional().describe('Made up where it is not sent. One that is there is overwritten.'),
        featureType,
        actionType,
        actionUser,
        targetEntityId: targetEntityId.optional().describe('Required of custom activities.'),
        ...details,
      })
      .refine((activity) => activity.featureType !== 'custom' || activity.targetEntityId !== undefined, {
        path: ['targetEntityId'],
        error: 'is required of a custom activity',
      }),
  )
  .min(1)
  .max(MAX_BATCH);
export type NewActivity = z.infer<typeof newActivities>[number];

export const activityChanges = z
  .array(
    z.object({
      id: activityId,
      featureType: featureType.optional(),
      actionType: actionType.optional(),
      actionUser: actionUser.optional(),
      targetEntityId: targetEntityId.optional(),
      ...details,
    }),
  )
  .min(1)
  .max(MAX_BATCH)
  .describe('Fields that are not sent stay.');
export type ActivityChange = z.infer<typeof activityChanges>[number];

export const activity = z.looseObject({
  id: z.string(),
  featureType: z.string(),
  actionType: z.string(),
  actionUser: user,
  targetEntityId: z.string().optional(),
  ...details,
  metadata: z.object({ apiKey: z.string(), organizationId: z.string(), documentId: z.string().optional() }),
  immutable: z.boolean().describe('Whether it can no longer be changed.'),
  timestamp: z.number().describe('Epoch milliseconds.'),
});
export type Activity = z.infer<typeof activity>;

/** Events of comments, each of which can leave an activity behind. */
export const commentTriggers = [
  'comment_annotation.add',
  'comment_annotation.delete',
  'comment_annotation.assign',
  'comment_annotation.status_change',
  'comment_annotation.priority_change',
  'comment_annotation.suggestion_accept',
  'comment_annotation.suggestion_reject',
  'comment.add',
  'comment.update',
  'comment.delete',
] as const;

export const activityConfig = z.object({
  isEnabled: z.boolean().optional(),
  enabledTime: z.number().int().min(0).optional().describe('Since when, in epoch milliseconds.'),
  immutable: z.boolean().optional().describe('Whether activities can be changed once they are written.'),
  triggers: z
    .record(z.string(), z.record(z.string(), z.boolean()))
    .optional()
    .describe(
      `What is logged by itself: \`{ comment: { <event>: true } }\` for ${commentTriggers.join(', ')}.`,
    ),
});
export type ActivityConfig = z.infer<typeof activityConfig>;
