/** One item of a checklist in a file. */
export interface ChecklistItem {
  /** Empty if the file has no title for it. */
  title: string;
  check: string;
  /** Further text of the item. */
  details: string[];
  /** Headings above the item, outermost first. */
  headings: string[];
  category?: string | undefined;
  severity?: string | undefined;
  url?: string | undefined;
  /** Number or name of the item in the file. */
  reference?: string | undefined;
  /** `row 4 of Sheet1`, `line 12`. */
  place: string;
  /** Original text of the item. */
  original: string;
}

/** A part of the file that no agent is made from. */
export interface Skipped {
  originalText: string;
  reason: string;
}

export interface Checklist {
  items: ChecklistItem[];
  skipped: Skipped[];
}

/** Key for duplicates: items with the same text have the same key. */
export const duplicateKey = (item: ChecklistItem): string =>
  JSON.stringify(
    [item.title, item.check, ...item.details, item.url ?? '', ...item.headings, item.category ?? ''].map(
      (text) =>
        text
          .toLowerCase()
          .replace(/[\s.,;:!?'"()–—-]+/g, ' ')
          .trim(),
    ),
  );
