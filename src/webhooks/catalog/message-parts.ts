import type { z } from 'zod';
import {
  commentAnnotation,
  commentData,
  reaction,
  reactionData,
  targetComment,
  visibility,
} from './comment-events.ts';
import { notificationsConfig } from './message-body.ts';
import { userData } from './place-events.ts';
import { metadata, person } from './webhook-event.ts';

/** Parts that several messages share, by their names in the reference. */
export const messageParts: Readonly<Record<string, z.ZodType>> = {
  Person: person,
  Metadata: metadata,
  Annotation: commentAnnotation,
  Comment: targetComment,
  CommentData: commentData,
  Reaction: reaction,
  ReactionData: reactionData,
  UserData: userData,
  Visibility: visibility,
  NotificationsConfig: notificationsConfig,
};
