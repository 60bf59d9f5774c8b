/** Replaces tags by the names of their elements, since the text of findings has no HTML. */
export const withoutTags = (text: string): string => text.replace(/<\/?([a-z][\w-]*)[^<>]*>/gi, '$1');
