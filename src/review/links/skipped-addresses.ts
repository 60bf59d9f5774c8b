import { matchesAny } from '../../lib/glob.ts';

/** A function that tells whether an address matches one of the globs; see `matchesAny`. */
export function createSkip(globs: readonly string[]): (url: string) => boolean {
  if (globs.length === 0) return () => false;
  const prepared = globs.map((glob) => ({ glob: [glob], part: fixedPart(glob) }));
  return (url) => {
    // A page may name 20 000 addresses, and a full comparison of each with 200 globs would take minutes.
    const lower = url.toLowerCase();
    return prepared.some(({ glob, part }) => lower.includes(part) && matchesAny(glob, url));
  };
}

/** The longest text between the wildcards of a glob, which stands in every address that matches; may be empty. */
function fixedPart(glob: string): string {
  const parts = glob.trim().toLowerCase().split(/[*?]+/);
  // `URL` may write other characters, and slashes at an end, in another way.
  const plain = parts
    .map((part) => part.replace(/^\/+|\/+$/g, ''))
    .filter((part) => /^[\w./:@~!$&'()+,;=-]*$/.test(part));
  return plain.reduce((longest, part) => (part.length > longest.length ? part : longest), '');
}
