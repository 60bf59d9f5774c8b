import type { PageLinks } from './page/page-links.ts';
import { packPage, unpackPage } from './page/parse-page.ts';

/** Keeps the pages of a run in bounded memory. */
export interface PageStore {
  /** True if pages are compressed from now on. */
  packs(): boolean;
  /** A function that returns the page again, or undefined once there was no room to keep it. */
  keep(page: PageLinks, packed?: Uint8Array): () => PageLinks | undefined;
}

/** Links of the pages that are kept as they are, which takes about 0.7 KB for each. */
const OPEN_LINKS = 120_000;
/** Bytes of the pages that are kept compressed, which takes about a tenth for each link. */
const PACKED_BYTES = 64 * 2 ** 20;

/**
 * Keeps the first pages open and the next ones compressed. Further ones are dropped, and have to be fetched again: a
 * run reviews its pages in the order in which it found them, so dropping the oldest would drop each before its use.
 */
export function createPageStore({ openLinks = OPEN_LINKS, packedBytes = PACKED_BYTES } = {}): PageStore {
  let linksLeft = openLinks;
  let bytesLeft = packedBytes;

  return {
    packs: () => linksLeft <= 0,
    keep(page, given) {
      if (linksLeft > 0) {
        // A page without links takes memory too.
        linksLeft -= page.links.length + page.fragments.length / 10 + 5;
        return openPage(page);
      }
      const packed = given ?? packPage(page);
      const hasRoom = packed.length <= bytesLeft;
      if (hasRoom) bytesLeft -= packed.length;
      return packedPage(new WeakRef(page), hasRoom ? packed : undefined);
    },
  };
}

// Functions of their own, since closures keep all variables of their scope that any of them names.
const openPage = (page: PageLinks) => () => page;

function packedPage(recent: WeakRef<PageLinks>, packed: Uint8Array | undefined) {
  let latest = recent;
  return () => {
    const known = latest.deref();
    if (known || !packed) return known;
    const read = unpackPage(packed);
    latest = new WeakRef(read);
    return read;
  };
}

/** The targets of fragments on a page, which a run needs as long as pages may link to them. */
export interface FragmentTargets {
  has(fragment: string): boolean;
}

/** Holds the targets as one text, which takes a fraction of the memory of a set. */
export function createFragmentTargets(fragments: readonly string[]): FragmentTargets {
  return targetsIn(fragments.join('\n'));
}

function targetsIn(text: string): FragmentTargets {
  let latest: WeakRef<Set<string>> | undefined;
  return {
    has(fragment) {
      const known = latest?.deref() ?? new Set(text.split('\n'));
      latest = new WeakRef(known);
      return fragment !== '' && known.has(fragment);
    },
  };
}
