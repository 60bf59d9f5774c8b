/** The text behind percent encoding; the text itself if it is not valid. */
export function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
