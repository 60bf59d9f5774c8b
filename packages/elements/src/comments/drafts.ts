import type { UploadedAttachment, User } from '@redpen/client';

/** What has been written and not sent. */
export interface Draft {
  text: string;
  people: readonly User[];
  attachments: readonly UploadedAttachment[];
}

/** Drafts by what they are about. They live as long as the page, and are stored nowhere. */
const drafts = new Map<string, Draft>();

export const draftOf = (key: string | undefined): Draft | undefined =>
  key === undefined ? undefined : drafts.get(key);

export function keepDraft(key: string | undefined, draft: Draft): void {
  if (key === undefined) return;
  if (draft.text.trim() === '' && draft.attachments.length === 0) drafts.delete(key);
  else drafts.set(key, draft);
}

/** One draft with what was written first and then. */
export const joinDrafts = (first: Draft, then: Draft | undefined): Draft =>
  then
    ? {
        text: [first.text, then.text].filter((text) => text !== '').join('\n\n'),
        people: [...first.people, ...then.people],
        attachments: [...first.attachments, ...then.attachments],
      }
    : first;
