import { isRedpenError } from '@redpen/client';
import { place, redpen } from './redpen.ts';
import { users } from './sessions.ts';

/** Creates what the page shows. What exists already stays as it is. */
export async function seed(): Promise<void> {
  const { organizationId, documentId } = place;
  await redpen.documents.add({
    organizationId,
    createOrganization: true,
    // Otherwise, every user with a token for any document could read this one.
    documents: [{ documentId, documentName: 'Leave on the last of the flood', accessType: 'restricted' }],
  });
  // People whom a comment can mention, before they have opened the page for the first time.
  await redpen.users.add({
    ...place,
    users: users.map(({ id, name, email }) => ({ userId: id, name, email })),
  });
  try {
    await redpen.editors.add({
      ...place,
      editorId: 'notes',
      type: 'text',
      data: '- Check the distances on the chart\n- Photo of the slip at high water?\n',
    });
  } catch (error) {
    if (!isRedpenError(error) || error.status !== 'ALREADY_EXISTS') throw error;
  }
  const [ada, linus] = users.map(({ id, name, email }) => ({ userId: id, name, email }));
  await redpen.annotations.add({
    ...place,
    commentAnnotations: [
      {
        annotationId: 'example-force',
        targetElement: { targetText: 'above force four', occurrence: 1 },
        commentData: [
          { commentText: 'Force three with beginners, I would say.', from: linus! },
          { commentText: 'Agreed, and we did so all of last summer.', from: ada! },
        ],
      },
      {
        annotationId: 'example-springs',
        targetElement: { targetText: 'ten minutes earlier', occurrence: 1 },
        commentData: [
          { commentText: 'Is that enough? On Sunday the marsh channel was closed at 9:40.', from: ada! },
        ],
      },
    ],
  });
}
