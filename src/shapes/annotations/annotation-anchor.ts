import { z } from 'zod';
import { named } from '../named.ts';

const number = z.number().optional();

const anchorPlace = z
  .object({
    pageUrl: z.string().optional().describe('The page that an agent reviewed or a person commented on.'),
    location: z.object({ id: z.string(), locationName: z.string().optional() }).optional(),
    targetElement: z.looseObject({}).optional().describe('The text or element that it is about.'),
    isPageAnnotation: z.literal(true).optional().describe('True if it is about the whole page.'),
    positionX: number,
    positionY: number,
    elementWidth: number,
    elementHeight: number,
    screenWidth: number,
    screenHeight: number,
    screenScrollHeight: number,
    screenScrollTop: number,
  })
  .describe('Where it is.');

/** An annotation as a pin shows it. Strict, so that no full record passes for one. */
export const annotationAnchor = named(
  'AnnotationAnchor',
  z
    .strictObject({
      annotationId: z.string(),
      documentId: z.string().optional().describe('Absent if the request names one document.'),
      annotationNumber: z.number().int(),
      type: z.string().describe('`comment` or `suggestion`.'),
      status: z.object({
        id: z.string(),
        type: z.string().optional().describe('`default`, `ongoing` or `terminal`.'),
      }),
      severity: z.string().optional().describe('Present if an agent wrote it.'),
      suggestionStatus: z.string().optional().describe('`pending`, `accepted` or `rejected`.'),
      commentCount: z.number().int(),
      isUnread: z.boolean().optional().describe('Present for users.'),
      place: anchorPlace,
    })
    .describe('An annotation without its comments, as a pin needs it.'),
);
export type AnnotationAnchor = z.infer<typeof annotationAnchor>;
