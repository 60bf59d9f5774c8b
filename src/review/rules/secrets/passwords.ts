import { isPlaceholder, isPublished, type Leak, type LeakSource, looksInvented, REVOKE } from './leak.ts';

const CONNECTION =
  /\b(?:postgres(?:ql)?|mysql|mariadb|mongodb(?:\+srv)?|rediss?|amqps?|mssql|sqlserver|oracle|ftps?|sftp|smtps?|ldaps?|ssh|clickhouse|https?):\/\/([^\s:/@"'<>]*):([^\s:/@"'<>]+)@[\w[][\w.:[\]-]*/gi;
const DRIVER =
  /\b(?:Server|Data Source|Host|jdbc:\w+)[^"'<>\n]{3,120}?[;?&](?:Password|Pwd)=([^;"'<>&\s]+)/gi;

const KEY =
  '(?:[\\w-]*(?:password|passwd|passphrase|passwort|kennwort|secret(?:[_-]?key)?|api[_-]?key|access[_-]?key|app[_-]?key|auth[_-]?token|access[_-]?token|bearer[_-]?token|api[_-]?token|client[_-]?secret|private[_-]?key|credentials?|encryption[_-]?key|signing[_-]?key|secret[_-]?token|refresh[_-]?token|admin[_-]?token)[\\w-]*|pwd|pw|pass|\\w+_pass|\\w+Pwd)';
const QUOTED = new RegExp(`(?<![\\w-])["']?${KEY}["']?\\s*[:=]\\s*(["'\`])([^"'\`\\s]{4,200})\\1`, 'gi');
const BARE = new RegExp(`(?<![\\w-])${KEY}\\s*(?:[:=]|\\bis\\b)\\s*["'\`]?([^\\s"'\`<>,;]{5,200})`, 'gi');
const LOGIN =
  /\b(?:log[- ]?in|credentials?|access|account|user(?:name)?|admin)\b[^\n]{0,30}?[:=]?\s*\b[\w.@-]{3,40}\s?[/:|]\s?([^\s/<>,;]{6,60})(?=[\s<.,;)]|$)/gi;
/** Names of public keys and of fields that are no secret. */
const PUBLIC_KEY =
  /csrf|xsrf|authenticity|nonce|verification|captcha|site[_-]?key|public|publishable|anon|measurement|search|forgot|reset|confirm|show|toggle|hint|label|min|max|length|strength|policy|rules?|error|invalid|visib|required|placeholder|autocomplete|url|path|href|icon|input|field|type|regex|pattern|expires?|expiry|manager|protected|less|word(?:s|_)|wrong/i;
const PUBLIC_USE =
  /indexName|authDomain|docsearch|algolia|maps\.google|mapbox|recaptcha|gtag|analytics|segment|posthog|sentry/i;

/** Passwords and secrets next to words that name them. */
export function passwordLeaks(source: LeakSource): Leak[] {
  const { text, kind, label } = source;
  const found = connectionLeaks(source);
  if (kind === 'attribute') {
    const isKey =
      new RegExp(`^\\W*${KEY}\\b`, 'i').test(label.replaceAll(' ', '_')) && !PUBLIC_KEY.test(label);
    if (isKey && isSecret(text.trim()) && !/\s/.test(text.trim()))
      return [...found, leakOf({ 0: text, index: 0 }, text, 'a secret', 'high', 85)];
  }
  // Earlier rules are more specific, so later ones skip what earlier ones have found.
  for (const rule of [keyedLeaks, loginLeaks]) {
    const known = [...found];
    found.push(...rule(source).filter(({ from, to }) => !overlaps(known, from, to)));
  }
  return found;
}

const isProseKind = (kind: LeakSource['kind']): boolean =>
  kind === 'words' || kind === 'comment' || kind === 'text';

/** Passwords in connection strings and URLs. */
function connectionLeaks({ text, kind, isTaught: isLesson, isPreformatted }: LeakSource): Leak[] {
  const isCode = kind === 'code' || (isLesson && isPreformatted);
  const inUrls = [...text.matchAll(CONNECTION)].flatMap((match): Leak[] => {
    const secret = match[2]!;
    const isTaught = /^(pass(word)?|pwd|secret|user|username|token|xxx+)$/i.test(secret);
    if (isPlaceholder(secret) && !(isTaught && !isProseKind(kind) && kind !== 'code')) return [];
    const isSample =
      isTaught || looksInvented(secret) || /@(localhost|127\.|db\b|host|example)/.test(match[0]);
    if ((isCode || isLesson) && (isSample || isSimple(secret))) return [];
    const noun = /^https?:/i.test(match[0])
      ? 'an address with a password'
      : 'a connection string with a password';
    return [leakOf(match, secret, noun, 'critical', 95)];
  });
  const inDrivers = [...text.matchAll(DRIVER)].flatMap((match): Leak[] =>
    isPlaceholder(match[1]!) || isCode || (isLesson && isSimple(match[1]!))
      ? []
      : [leakOf(match, match[1]!, 'a connection string with a password', 'critical', 90)],
  );
  return [...inUrls, ...inDrivers];
}

/** True for a password that a lesson would show: a word, with digits behind it at most. */
const isSimple = (secret: string): boolean => /^[A-Z]?[a-z]+[\d!]{0,4}$/.test(secret) || secret.length < 8;

/** Values after a key such as `password:`. */
function keyedLeaks({ text, kind, isTaught, isPreformatted }: LeakSource): Leak[] {
  if (kind === 'code' || (isTaught && isPreformatted)) return [];
  const isProse = isProseKind(kind);
  const found: Leak[] = [];
  for (const match of text.matchAll(isProse ? BARE : QUOTED)) {
    const secret = (isProse ? match[1]! : match[2]!).replace(/[.)\]]+$/, '');
    const key = match[0].slice(0, match[0].lastIndexOf(secret));
    const around = text.slice(Math.max(0, match.index - 150), match.index + 250);
    if (PUBLIC_KEY.test(key) || PUBLIC_USE.test(around) || !isSecret(secret, isProse)) continue;
    if (isPublished(secret) || (isTaught && (looksInvented(secret) || isSimple(secret)))) continue;
    const isPassword = /pass|pwd|pw\b|kennwort/i.test(key);
    found.push(leakOf(match, secret, isPassword ? 'a password' : 'a secret', 'critical', 85));
  }
  return found;
}

/** User names with a password behind a slash, a colon or a bar. */
function loginLeaks({ text, kind, isTaught }: LeakSource): Leak[] {
  if ((kind !== 'comment' && kind !== 'words') || isTaught) return [];
  return [...text.matchAll(LOGIN)].flatMap((match): Leak[] => {
    const secret = match[1]!;
    if (!/\d/.test(secret) || !/[a-z]/i.test(secret) || /https?|\/\/|^\d+[\d:.-]*\w?$|@/.test(secret))
      return [];
    const isPassword = !isPlaceholder(secret) && /[!@#$%^&*]|[a-z]\d+!?$/i.test(secret);
    if (!isPassword || !/admin|root|test|demo|user|@/i.test(match[0])) return [];
    return [leakOf(match, secret, 'a login with its password', 'high', 75)];
  });
}

function leakOf(
  match: { 0: string; index: number },
  secret: string,
  noun: string,
  severity: Leak['severity'],
  confidence: number,
): Leak {
  return {
    issueType: 'exposed-credential',
    noun,
    from: match.index,
    to: match.index + match[0].length,
    quotable: Math.max(0, match[0].lastIndexOf(secret)),
    severity,
    confidence,
    suggestion: REVOKE,
  };
}

const overlaps = (leaks: Leak[], from: number, to: number) =>
  leaks.some((one) => one.from < to && from < one.to);

/** True for a value that looks random, unlike a word, a number or a piece of code. */
function isSecret(value: string, isProse = false): boolean {
  if (value.length < 5 || isPlaceholder(value)) return false;
  if (
    /^[\w$]+(\.[\w$]+)+[;)]*$|[()[\]{}]|=>|^https?:|^\/|^#|^data:|^\d{1,3}(px|ms|s|%)?$|\+\+|&&/.test(value)
  )
    return false;
  const classes = [/[a-z]/, /[A-Z]/, /\d/, /[^\w\s]/].filter((one) => one.test(value)).length;
  const isMixed = /\d/.test(value) && /[a-z]/i.test(value);
  if (isProse) return isMixed || (classes >= 3 && value.length >= 8);
  return isMixed || (classes >= 3 && value.length >= 8) || /^[0-9a-f]{16,}$/i.test(value);
}
