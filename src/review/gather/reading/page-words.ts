/** Piece of a page's words that one element holds. */
export interface Run {
  /** Where it begins and ends in the page's words. */
  from: number;
  to: number;
  /** Equal numbers of neighbours mean that they read as one passage. */
  passage: number;
  /** The language the page says it is in; empty where it says none. */
  lang: string;
  /** Which of `code`, `output`, `quote`, `italic`, `heading`, `link`, `field` stands around it. */
  marks: readonly string[];
}

/** Words that an attribute shows or says: `alt`, `title`, `placeholder`, `aria-label`, `value`, `summary`. */
export interface Label {
  text: string;
  attribute: string;
  lang: string;
  selector: string;
}

/** The words of a page as the places of findings are counted in them. */
export interface PageWords {
  /** Of the document. */
  lang: string;
  /** Single-spaced, with a space between blocks. */
  text: string;
  runs: Run[];
  labels: Label[];
}

/** The words of a page followed by those of its frames. */
export function joinWords(own: PageWords, inner: readonly (PageWords | undefined)[]): PageWords {
  const joined: PageWords = { ...own, runs: [...own.runs], labels: [...own.labels] };
  for (const words of inner) {
    if (!words) continue;
    const offset = joined.text.length + 1;
    const passages = (joined.runs.at(-1)?.passage ?? 0) + 1;
    joined.text += ` ${words.text}`;
    for (const run of words.runs) {
      joined.runs.push({
        ...run,
        from: run.from + offset,
        to: run.to + offset,
        passage: run.passage + passages,
      });
    }
    // A selector of another document leads nowhere in this one.
    for (const label of words.labels) joined.labels.push({ ...label, selector: '' });
  }
  return joined;
}
