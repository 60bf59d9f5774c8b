import type { Comment, Contact } from '@redpen/client';
import { el } from './dom.ts';
import { place, redpen } from './redpen.ts';

/** What stands in the text of a comment in the place of a name: people change their names, and not their ids. */
const REFERENCE = /\{\{([^{}]+)\}\}/;

let people: Contact[] = [];

/** Reads who can be mentioned, the first time that it is needed. */
export async function readPeople(): Promise<void> {
  if (people.length === 0) people = await redpen.users.all(place, { max: 100 }).catch(() => []);
}

/** A comment as it was typed, with `{{userId}}` in the place of each `@Name`. */
export function withReferences(text: string) {
  let commentText = text;
  // A longer name first: "@Ada Lovelace" does not mention Ada.
  const byLength = people.toSorted((a, b) => (b.name ?? '').length - (a.name ?? '').length);
  for (const { userId, name } of byLength) {
    if (!name) continue;
    // "@Ada" is not part of "@Adam".
    commentText = commentText.replaceAll(`@${name}`, (typed, at: number, whole: string) =>
      /^[\p{L}\p{N}]/u.test(whole.slice(at + typed.length)) ? typed : `{{${userId}}}`,
    );
  }
  const taggedUserContacts = people
    .filter(({ userId }) => commentText.includes(`{{${userId}}}`))
    .map(({ userId, name = '', email = '' }) => ({
      userId,
      contact: { userId, name, email },
      text: `@${name}`,
    }));
  return { commentText, taggedUserContacts };
}

/** The text of a comment for a page. */
export const withNames = ({ commentText = '', taggedUserContacts = [] }: Comment) =>
  commentText.split(REFERENCE).map((part, index) => {
    if (index % 2 === 0) return part;
    const tag = taggedUserContacts.find(({ userId }) => userId === part);
    return el('span', { className: 'mention' }, `@${tag?.contact.name ?? part}`);
  });

/** The text of a comment for an editor. */
export const asTyped = (comment: Comment): string =>
  withNames(comment)
    .map((part) => (typeof part === 'string' ? part : part.textContent))
    .join('');

/** The people whose names begin with what stands behind the last `@`, at the caret of a text area. */
export function suggestionsAt({ value, selectionEnd }: HTMLTextAreaElement) {
  const typed = /(?:^|\s)@([^@\n]{0,30})$/.exec(value.slice(0, selectionEnd))?.[1];
  if (typed === undefined) return [];
  return people.filter(({ name = '' }) => {
    const begins = name.toLowerCase().startsWith(typed.toLowerCase());
    return begins && name !== typed;
  });
}

export function insertMention(area: HTMLTextAreaElement, name: string): void {
  const start = area.value.lastIndexOf('@', area.selectionEnd - 1);
  area.setRangeText(`@${name} `, start, area.selectionEnd, 'end');
  area.focus();
}
