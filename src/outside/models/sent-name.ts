/** The name of a tool as it may stand in a request, whatever the model made up. */
export const sentName = (name: string): string =>
  name
    .replace(/[^a-zA-Z0-9_-]/g, '_')
    .replace(/^(?![a-zA-Z_])/, '_')
    .slice(0, 64);
