/** The name of a tool as every provider takes it, even one that a model made up; Gemini wants a letter or `_` first. */
export const sentName = (name: string): string =>
  name
    .replace(/[^a-zA-Z0-9_-]/g, '_')
    .replace(/^(?![a-zA-Z_])/, '_')
    .slice(0, 64);
