/** What a finding, or the suggestion or text that people decided on, is about. */
export interface Matter {
  issueType: string;
  /** What is complained of, without the words and addresses that it is complained of at this place. */
  complaint: string;
  /** All that is said, those included. */
  whole: string;
  /**
   * The very words or address where the complaint means nothing without them, as of a misspelt word, a number or a
   * dead link; empty where the same can be said of any place.
   */
  subject: string;
}

export interface Said {
  issueType: string;
  title: string;
  description: string;
  targetText: string;
  /** Empty where it is about none. */
  url: string;
}

const QUOTED =
  /“[^“”]*”|„[^„“”]*[“”]|«[^«»]*»|"[^"]*"|‘[^‘’]*’|(?<![\p{L}\p{N}])'[^']*'(?![\p{L}\p{N}])|`[^`]*`/gu;
const ADDRESS = /\bhttps?:\/\/\S+/g;
/** With fewer words, what is left of a complaint would fit anything. */
const LEAST_WORDS = 4;

const words = (text: string): string[] => text.match(/[\p{L}\p{N}]+/gu) ?? [];

const bare = (text: string): string => text.normalize('NFC').replace(/\s+/g, ' ').trim();

export function matterOf({ issueType, title, description, targetText, url }: Said): Matter {
  const whole = bare(`${title}\n${description}`);
  const complaint = withoutPlace(whole, targetText);
  const named = bare(targetText);
  // The title of a rule names the word that it is about; that of a model often quotes it.
  const inTitle = named !== '' && title.includes(named);
  const isParticular =
    url !== '' ||
    (named !== '' && (words(named).length === 1 || /\d/.test(named) || inTitle)) ||
    words(complaint).length < LEAST_WORDS;
  return {
    issueType,
    complaint,
    whole: named !== '' && !whole.includes(named) ? `${whole}\n${named}` : whole,
    subject: !isParticular ? '' : url || named || whole,
  };
}

/** Of a text that nothing more is known of. */
export const matterOfText = (issueType: string, text: string): Matter => ({
  issueType,
  complaint: withoutPlace(bare(text), ''),
  whole: bare(text),
  subject: '',
});

function withoutPlace(text: string, targetText: string): string {
  const quoted = text.replace(ADDRESS, '…').replace(QUOTED, '…');
  const named = bare(targetText);
  return words(named).length === 0 ? quoted : quoted.replaceAll(named, '…');
}
