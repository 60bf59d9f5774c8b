/** A piece of a page's text in one text node. */
export interface TextRun {
  /** Offsets in the text of the page. */
  from: number;
  to: number;
  /** Adjacent runs with the same number read as one passage. */
  passage: number;
  /** Value of the nearest `lang` attribute; empty if there is none. */
  lang: string;
  /** Elements around the run: any of `code`, `output`, `quote`, `italic`, `heading`, `link`, `field`. */
  marks: readonly string[];
}

/** Text of an attribute that readers see or hear: `alt`, `title`, `placeholder`, `aria-label`, `value`, `summary`. */
export interface Label {
  text: string;
  attribute: string;
  lang: string;
  selector: string;
}

/** The text of a page in which the occurrences of findings are counted. */
export interface PageWords {
  /** Language of the document. */
  lang: string;
  /** Single-spaced, with a space between blocks. */
  text: string;
  runs: TextRun[];
  labels: Label[];
}

/** Appends the words of frames to the words of their page. */
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
    // Selectors do not enter frames.
    for (const label of words.labels) joined.labels.push({ ...label, selector: '' });
  }
  return joined;
}
