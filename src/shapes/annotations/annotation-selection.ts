import { z } from 'zod';
import { MAX_BATCH } from '../batch.ts';
import { annotationId, userId } from '../id-fields.ts';

const optionalList = <T extends z.ZodType>(id: T) => z.array(id).max(MAX_BATCH).optional();

/** Filter fields for the annotations of a document. All filters that are sent must match. */
export const annotationSelection = {
  annotationIds: optionalList(annotationId),
  locationIds: optionalList(z.union([z.string(), z.number().transform(String)])),
  userIds: optionalList(userId).describe("Ids of the annotations' authors."),
};
