import { json } from '../../src/db/sql-fragments.ts';
import type { Visibility } from '../../src/shapes/annotations/annotation.ts';
import { type TestWorkspace, testApp } from '../service/harness.ts';

interface AnnotationOptions {
  annotationId?: string;
  visibility?: Visibility;
  body?: Record<string, unknown>;
}

export interface AnnotationRef {
  organizationId: string;
  documentId: string;
  annotationId: string;
}

/** Inserts an annotation by `author` without comments; creates the document if it is missing. */
export async function newAnnotation(
  workspace: TestWorkspace,
  { annotationId = 'headline', visibility, body = {} }: AnnotationOptions = {},
): Promise<AnnotationRef> {
  const { deps } = await testApp();
  const place = { organizationId: 'acme', documentId: 'home' };
  await workspace.post('/v2/organizations/documents/add', {
    organizationId: place.organizationId,
    documents: [{ documentId: place.documentId }],
  });
  await deps.db
    .insertInto('annotations')
    .values({
      apiKeyId: workspace.apiKeyId,
      ...place,
      annotationId,
      annotationNumber: 1,
      authorId: 'author',
      statusId: 'OPEN',
      locationId: 'top',
      agentId: null,
      executionId: null,
      agentUrl: null,
      suggestionStatus: null,
      causeId: null,
      visibility: visibility ? json(visibility) : null,
      body: json({ type: 'comment', from: { userId: 'author' }, involvedUserIds: ['author'], ...body }),
      createdAt: 1_000,
      lastUpdated: 1_000,
    })
    .execute();
  return { ...place, annotationId };
}
