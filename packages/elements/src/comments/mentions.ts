import type { Comment, NewComment, User } from '@redpen/client';

export type Tag = NonNullable<NewComment['taggedUserContacts']>[number];

/** A comment as it was typed, with `{{userId}}` in the place of each `@Name` of these people: ids do not change. */
export function withReferences(
  typed: string,
  people: readonly User[],
): { commentText: string; taggedUserContacts: Tag[] } {
  // A longer name first: "@Ada Lovelace" does not mention Ada.
  const byLength = people
    .filter(({ name }) => name)
    .toSorted((one, other) => other.name!.length - one.name!.length);
  let commentText = typed;
  for (const { userId, name } of byLength) {
    // "@Ada" is no part of "@Adam", and "x@Ada" is an address.
    commentText = commentText.replaceAll(`@${name}`, (found, at: number, whole: string) => {
      const [before, after] = [whole.slice(0, at), whole.slice(at + found.length)];
      return /^[\p{L}\p{N}]/u.test(after) || /[\p{L}\p{N}]$/u.test(before) ? found : `{{${userId}}}`;
    });
  }
  const taggedUserContacts = people
    .filter(({ userId }) => commentText.includes(`{{${userId}}}`))
    .map(({ userId, name, email }) => ({
      userId,
      contact: { userId, ...(name && { name }), ...(email && { email }) },
      text: `@${name ?? userId}`,
    }));
  return { commentText, taggedUserContacts };
}

/** The name behind a reference in a comment. */
export const nameIn =
  ({ taggedUserContacts, to }: Pick<Comment, 'taggedUserContacts' | 'to'>) =>
  (userId: string): string =>
    taggedUserContacts?.find((tag) => tag.userId === userId)?.contact.name ??
    to?.find((user) => user.userId === userId)?.name ??
    userId;

/** A stored comment as its author typed it, to be edited. */
export function asTyped(comment: Comment): { text: string; people: User[] } {
  const nameOf = nameIn(comment);
  const text = (comment.commentText ?? '').replaceAll(
    /\{\{([^{}\n]+)\}\}/g,
    (_, id: string) => `@${nameOf(id)}`,
  );
  const people = (comment.taggedUserContacts ?? []).map(({ contact }) => contact);
  return { text, people };
}

/** What is typed behind the last `@` before the caret, and where it begins; undefined if it is no mention. */
export function mentionAt(text: string, caret: number): { query: string; start: number } | undefined {
  const found = /(?:^|[\s([{"'“‘])@([\p{L}\p{N}._ '-]{0,40})$/u.exec(text.slice(0, caret));
  const query = found?.[1];
  return query === undefined ? undefined : { query, start: caret - query.length - 1 };
}

/** People whose names have words that begin with those of the query, the best first. */
export function peopleFor(query: string, people: readonly User[]): User[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  const namesOf = ({ name = '', email = '' }: User) => `${name} ${email}`.toLowerCase().split(/[\s.@_-]+/);
  return people.filter((user) => {
    const names = namesOf(user);
    return user.name && words.every((word) => names.some((name) => name.startsWith(word)));
  });
}
