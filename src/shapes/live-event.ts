import { z } from 'zod';
import { named } from './named.ts';

const at = z.number().describe('Epoch milliseconds.');

/** The data of a message of the event stream; the name of the event, which is beside it, says which fields it has. */
export const liveEventData = named(
  'LiveEventData',
  z
    .looseObject({
      organizationId: z.string().optional(),
      documentId: z.string().optional(),
      at: at.optional(),
      annotationId: z.string().optional(),
      commentAnnotation: z
        .looseObject({ annotationId: z.string() })
        .optional()
        .describe('The annotation as it is now, without its comments.'),
      targetComment: z
        .looseObject({ commentId: z.int(), commentText: z.string().optional() })
        .optional()
        .describe('The comment as it is now; of a deleted one, its id alone.'),
      actionUser: z.looseObject({ userId: z.string() }).optional().describe('The user who made the change.'),
      users: z.array(z.looseObject({ userId: z.string() })).optional(),
      userIds: z.array(z.string()).optional(),
      liveStateDataId: z.string().optional(),
      notificationId: z.string().optional(),
      documentName: z.string().optional(),
      newDocumentId: z.string().optional(),
      editorId: z.string().optional(),
      executionId: z.string().optional(),
      agentId: z.string().optional(),
      message: z.string().optional().describe('What a run does now.'),
      reason: z.string().optional().describe('Why the stream ends.'),
    })
    .describe(
      'Data of a message of the event stream: `organizationId`, `documentId` if the event concerns a document, `at`, and the fields of the event that the name of the message tells. The guide to live events lists them.',
    ),
);
