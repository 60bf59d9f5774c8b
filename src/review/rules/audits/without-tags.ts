/** Names of elements as words, since the text of a finding holds no tags. */
export const withoutTags = (text: string): string => text.replace(/<\/?([a-z][\w-]*)[^<>]*>/gi, '$1');
