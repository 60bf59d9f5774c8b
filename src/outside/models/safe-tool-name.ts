/**
 * Makes a tool's name acceptable to every provider, even one that a model invented; Gemini requires a letter or `_` at
 * its beginning. Names of `Object.prototype` are changed, since the clients look names up in plain objects.
 */
export function safeToolName(name: string): string {
  const plain = name
    .replace(/[^a-zA-Z0-9_-]/g, '_')
    .replace(/^(?![a-zA-Z_])/, '_')
    .slice(0, 64);
  return plain in {} ? `_${plain}` : plain;
}
