/** One thing to check, as a file has it. */
export interface ChecklistItem {
  /** Empty where the file has no name for it. */
  title: string;
  check: string;
  /** Further text of the item. */
  details: string[];
  /** Headings that it stands under, the outermost first. */
  headings: string[];
  category?: string | undefined;
  severity?: string | undefined;
  url?: string | undefined;
  /** Its number or name in the file. */
  reference?: string | undefined;
  /** `row 4 of Sheet1`, `line 12`. */
  place: string;
  /** As it stands in the file. */
  original: string;
}

/** Something of the file that no agent is made of. */
export interface Skipped {
  originalText: string;
  reason: string;
}

export interface Checklist {
  items: ChecklistItem[];
  skipped: Skipped[];
}

/** Texts that say the same have the same key. */
export const sameness = (item: ChecklistItem): string =>
  JSON.stringify(
    [item.title, item.check, ...item.details, item.url ?? '', ...item.headings, item.category ?? ''].map(
      (text) =>
        text
          .toLowerCase()
          .replace(/[\s.,;:!?'"()–—-]+/g, ' ')
          .trim(),
    ),
  );
