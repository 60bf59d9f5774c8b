import { deflateRawSync, inflateRawSync } from 'node:zlib';
import type { PageLinks } from './page-links.ts';

/** Keeps the pages of a run in bounded memory. */
export interface PageStore {
  /** A function that returns the page again, or undefined once there was no room to keep it. */
  keep(page: PageLinks): () => PageLinks | undefined;
}

/** Links of the pages that are kept as they are, which takes about 0.7 KB for each. */
const OPEN_LINKS = 120_000;
/** Bytes of the pages that are kept compressed, at most a tenth of that each link takes when open. */
const PACKED_BYTES = 64 * 2 ** 20;

/**
 * Keeps the first pages open and the next ones compressed. Further ones are dropped, and have to be fetched again: a
 * run reviews its pages in the order in which it found them, so dropping the oldest would drop each before its use.
 */
export function createPageStore({ openLinks = OPEN_LINKS, packedBytes = PACKED_BYTES } = {}): PageStore {
  let linksLeft = openLinks;
  let bytesLeft = packedBytes;

  return {
    keep(page) {
      // A page without links takes memory too.
      const weight = page.links.length + page.fragments.length / 10 + 5;
      if (weight <= linksLeft) {
        linksLeft -= weight;
        return () => page;
      }
      const recent = new WeakRef(page);
      const packed = deflateRawSync(JSON.stringify(page), { level: 1 });
      if (packed.length > bytesLeft) return () => recent.deref();
      bytesLeft -= packed.length;
      let latest = recent;
      return () => {
        const known = latest.deref();
        if (known) return known;
        const read = JSON.parse(inflateRawSync(packed).toString()) as PageLinks;
        latest = new WeakRef(read);
        return read;
      };
    },
  };
}

/** The targets of fragments on a page, which a run needs as long as pages may link to them. */
export interface FragmentTargets {
  has(fragment: string): boolean;
}

/** Holds the targets as one text, which takes a fraction of the memory of a set. */
export function createFragmentTargets(fragments: readonly string[]): FragmentTargets {
  const text = fragments.join('\n');
  let latest = new WeakRef(new Set<string>());
  return {
    has(fragment) {
      let targets = latest.deref();
      if (!targets || (targets.size === 0 && text !== '')) {
        targets = new Set(text.split('\n'));
        latest = new WeakRef(targets);
      }
      return targets.has(fragment);
    },
  };
}
