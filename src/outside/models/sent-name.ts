/**
 * The name of a tool as every provider takes it, even one that a model made up; Gemini wants a letter or `_` first. What
 * every object has by itself, the providers' clients would find in their tables of names.
 */
export function sentName(name: string): string {
  const plain = name
    .replace(/[^a-zA-Z0-9_-]/g, '_')
    .replace(/^(?![a-zA-Z_])/, '_')
    .slice(0, 64);
  return plain in {} ? `_${plain}` : plain;
}
