import type { Comment } from '@redpen/client';
import { plainText } from './markdown.ts';
import { nameIn } from './mentions.ts';

/** The text of a comment without its marks, for a line that stands for it. Mentions are shown as names. */
export const plainComment = (comment: Comment | undefined): string =>
  comment === undefined ? '' : plainText(comment.commentText ?? '', nameIn(comment)).trim();
