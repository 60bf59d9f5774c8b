import { asList, asObject, type Fields, isObject } from '../lib/json.ts';

/** Facts about a stored file, which never change after it has arrived. */
export interface AttachmentFacts {
  attachmentId: string;
  fileName: string;
  mimeType: string;
  byteSize: number;
  width: number | null;
  height: number | null;
}

/** The signed link to a stored file. */
export type AttachmentLink = (attachmentId: string) => { url: string; expiresAt: number };

/** Fields of an attachment that point elsewhere. A stored file has its link alone, which is made at each read. */
const NOT_STORED = ['url', 'expiresAt', 'thumbnail', 'thumbnailWithPlayIconUrl', 'bucketPath'];

const kindOf = (mimeType: string): string => {
  const [kind = ''] = mimeType.split('/', 1);
  return ['image', 'video', 'audio'].includes(kind) ? kind : 'document';
};

/** Ids of the stored files among attachments; those that are stored elsewhere have numbers. */
export const storedIdsOf = (attachments: unknown): string[] =>
  asList(attachments).flatMap((one) => {
    const id = isObject(one) ? one.attachmentId : undefined;
    return typeof id === 'string' ? [id] : [];
  });

/** The attachments as a comment stores them: fields that the caller sent about a stored file do not count. */
export const withFacts = (
  attachments: readonly Fields[],
  facts: ReadonlyMap<string, AttachmentFacts>,
): Fields[] =>
  attachments.map((sent) => {
    const file = facts.get(String(sent.attachmentId));
    if (typeof sent.attachmentId !== 'string' || !file) return sent;
    const kept = Object.entries(sent).filter(
      ([name]) => !NOT_STORED.includes(name) && name !== 'width' && name !== 'height',
    );
    const { attachmentId, fileName, mimeType, byteSize, width, height } = file;
    return {
      ...Object.fromEntries(kept),
      attachmentId,
      fileName,
      name: fileName,
      mimeType,
      type: kindOf(mimeType),
      size: byteSize,
      ...(width !== null && height !== null && { width, height }),
    };
  });

/** A record of a comment with links to its stored files; the same object if it has none. */
export function withLinks<C extends Fields>(comment: C, link: AttachmentLink): C {
  if (storedIdsOf(comment.attachments).length === 0) return comment;
  const attachments = asList(comment.attachments).map((one) => {
    const { attachmentId } = asObject(one);
    return typeof attachmentId === 'string' ? { ...asObject(one), ...link(attachmentId) } : one;
  });
  return { ...comment, attachments };
}
