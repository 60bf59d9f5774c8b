import { isObject } from '../../lib/json.ts';
import { cutText, shorten } from '../../lib/text/cut-text.ts';

/** Characters of a body that are searched for a message. */
const MAX_READ_CHARS = 20_000;
/** Characters of a message that are shown. */
const MAX_SHOWN_CHARS = 300;
/** Characters of the prompt that a provider's message may quote. */
const MAX_QUOTED_CHARS = 24;

/** Texts that must not be in the words of a provider. */
export interface Confidential {
  secrets: readonly string[];
  prompt: string;
}

/** The message in the body of an error, raw: a field of its JSON, the text of an HTML page, or the body itself. */
export function messageOfBody(body: string): string {
  const text = cutText(body, MAX_READ_CHARS).trim();
  const json = parsed(body);
  if (json !== undefined) return messageIn(json) ?? text;
  if (!text.startsWith('<')) return text;
  const words = textOfHtml(text);
  return words === '' ? 'an HTML page' : `an HTML page: ${words}`;
}

/** The error in a body of JSON, as `{error: {…}}`, also within a list; undefined if there is none. */
export function errorInBody(body: string): Record<string, unknown> | undefined {
  const json = parsed(body);
  const first = Array.isArray(json) ? json[0] : json;
  const error = isObject(first) ? first.error : undefined;
  if (typeof error === 'string' && error !== '') return { message: error };
  return isObject(error) ? error : undefined;
}

function parsed(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}

/** Servers put the message into `error.message`, `error`, `message`, `detail`, or `detail[].msg`. */
function messageIn(json: unknown): string | undefined {
  if (typeof json === 'string') return json;
  if (Array.isArray(json)) return json.length === 0 ? undefined : messageIn(json[0]);
  if (!isObject(json)) return undefined;
  for (const name of ['error', 'message', 'detail', 'msg', 'errors']) {
    const found = json[name] === undefined || json[name] === null ? undefined : messageIn(json[name]);
    if (found !== undefined && found.trim() !== '') return found;
  }
  return undefined;
}

const textOfHtml = (html: string): string =>
  html
    .replace(/<(script|style)\b[^>]*>[^<]*/gi, ' ')
    .replace(/<[^<>]*>/g, ' ')
    .replace(/&nbsp;/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();

const KEY_LIKE = /\b(?:sk|pk|rk|key|AIza|Bearer|gsk|xai)[-_ ]?[\w.*-]{8,}|\b[\w-]{32,}\b/gi;
/** Words such as "key provided" and "Bearer authentication" are no keys. */
const TWO_WORDS = /^(key|bearer) [a-z.-]+$/i;

/** Shortens the words of a provider to one line, and replaces keys and quotes of the prompt by `…`. */
export function publicWords(message: string, { secrets, prompt }: Confidential): string {
  let words = cutText(message, 2_000);
  for (const secret of secrets) if (secret !== '') words = words.replaceAll(secret, '…');
  words = words
    .replace(KEY_LIKE, (found) => (TWO_WORDS.test(found) ? found : '…'))
    .replace(/\s+/g, ' ')
    .trim();
  const unquoted = withoutQuotes(words, prompt.replace(/\s+/g, ' '));
  return shorten(unquoted.replace(/…[\s…]*…/g, '…'), MAX_SHOWN_CHARS).replace(/\.$/, '');
}

/** Replaces each part that the prompt contains too, if it is long enough to be a quote. */
function withoutQuotes(words: string, prompt: string): string {
  let kept = '';
  for (let at = 0; at < words.length; ) {
    let end = at + MAX_QUOTED_CHARS;
    if (end > words.length || !prompt.includes(words.slice(at, end))) {
      kept += words[at];
      at += 1;
      continue;
    }
    while (end < words.length && prompt.includes(words.slice(at, end + 1))) end += 1;
    kept += '…';
    at = end;
  }
  return kept;
}
