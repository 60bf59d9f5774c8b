import { z } from 'zod';
import { Refusal } from '../text/refusal.ts';
import { findingId } from './get-finding.ts';
import { ADDS, tool } from './tool.ts';

export const reply = tool({
  name: 'reply',
  title: 'Reply in a thread',
  description:
    'Comments in the thread of a finding, as the person whose credentials you have, marked as written by an assistant. Only when the person asked for it.',
  input: z.strictObject({ findingId, text: z.string().trim().min(1).max(10_000) }),
  annotations: ADDS,
  async run({ findingId, text }, { service }) {
    const { finding } = await service.call('/v2/agents/findings/get', { findingId });
    const { organizationId, documentId, annotationId } = finding;
    if (organizationId === undefined || documentId === undefined || annotationId === undefined) {
      throw new Refusal(
        documentId === undefined
          ? 'The finding is on no document, so it has no thread. Review the page with organizationId and documentId to get one, or tell the person directly.'
          : 'The finding has no thread on its document. Tell the person directly.',
      );
    }
    const [commentId] = await service.call('/v2/commentannotations/comments/add', {
      organizationId,
      documentId,
      annotationId,
      commentData: [{ commentText: text, ...(service.author && { from: service.author }) }],
    });
    return {
      text: `Comment ${commentId} is in the thread of ${findingId}, marked as by an assistant.`,
      structured: { findingId, organizationId, documentId, annotationId, commentId },
    };
  },
});
