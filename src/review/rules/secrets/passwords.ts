import { isMadeUp, isStandIn, type Leak, type Leaky, WITHDRAW } from './leak.ts';

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
/** Keys and tokens that are made to be seen. */
const PUBLIC_KEY =
  /csrf|xsrf|authenticity|nonce|verification|captcha|site[_-]?key|public|publishable|anon|measurement|search|forgot|reset|confirm|show|toggle|hint|label|min|max|length|strength|policy|rules?|error|invalid|visib|required|placeholder|autocomplete|url|path|href|icon|input|field|type|regex|pattern|expires?|expiry|manager|protected|less|word(?:s|_)|wrong/i;
const PUBLIC_USE =
  /indexName|authDomain|docsearch|algolia|maps\.google|mapbox|recaptcha|gtag|analytics|segment|posthog|sentry/i;

/** Passwords and secrets that are written next to what they are. */
export function passwordLeaks({ text, kind, label }: Leaky): Leak[] {
  const isProse = kind === 'words' || kind === 'comment' || kind === 'text';
  const leaks: Leak[] = [];
  const add = (
    match: Pick<RegExpExecArray, 0 | 'index'>,
    secret: string,
    noun: string,
    severity: Leak['severity'],
    confidence: number,
  ) => {
    const quotable = Math.max(0, match[0].lastIndexOf(secret));
    leaks.push({
      issueType: 'exposed-credential',
      noun,
      from: match.index,
      to: match.index + match[0].length,
      quotable,
      severity,
      confidence,
      suggestion: WITHDRAW,
    });
  };
  for (const match of text.matchAll(CONNECTION)) {
    const secret = match[2]!;
    const isWeb = /^https?:/i.test(match[0]);
    const isTaught = /^(pass(word)?|pwd|secret|user|username|token|xxx+)$/i.test(secret);
    if (isStandIn(secret) && !(isTaught && !isProse && kind !== 'code')) continue;
    if (
      kind === 'code' &&
      (isTaught || isMadeUp(secret) || /@(localhost|127\.|db\b|host|example)/.test(match[0]))
    )
      continue;
    add(
      match,
      secret,
      isWeb ? 'an address with a password' : 'a connection string with a password',
      'critical',
      95,
    );
  }
  for (const match of text.matchAll(DRIVER)) {
    if (isStandIn(match[1]!) || kind === 'code') continue;
    add(match, match[1]!, 'a connection string with a password', 'critical', 90);
  }
  if (kind === 'attribute') {
    const isKey =
      new RegExp(`^\\W*${KEY}\\b`, 'i').test(label.replaceAll(' ', '_')) && !PUBLIC_KEY.test(label);
    if (isKey && isSecret(text.trim()) && !/\s/.test(text.trim())) {
      add({ 0: text, index: 0 }, text, 'a secret', 'high', 85);
      return leaks;
    }
  }
  const pattern = isProse ? BARE : QUOTED;
  if (kind !== 'code') {
    for (const match of text.matchAll(pattern)) {
      const secret = (isProse ? match[1]! : match[2]!).replace(/[.)\]]+$/, '');
      const key = match[0].slice(0, match[0].lastIndexOf(secret));
      const around = text.slice(Math.max(0, match.index - 150), match.index + 250);
      if (PUBLIC_KEY.test(key) || PUBLIC_USE.test(around) || !isSecret(secret, isProse)) continue;
      if (overlaps(leaks, match.index, match.index + match[0].length)) continue;
      const isPassword = /pass|pwd|pw\b|kennwort/i.test(key);
      add(match, secret, isPassword ? 'a password' : 'a secret', 'critical', 85);
    }
  }
  if (kind === 'comment' || kind === 'words') {
    for (const match of text.matchAll(LOGIN)) {
      const secret = match[1]!;
      if (overlaps(leaks, match.index, match.index + match[0].length)) continue;
      if (!/\d/.test(secret) || !/[a-z]/i.test(secret) || /https?|\/\/|^\d+[\d:.-]*\w?$|@/.test(secret))
        continue;
      if (
        isStandIn(secret) ||
        !/[!@#$%^&*]|[a-z]\d+!?$/i.test(secret) ||
        !/admin|root|test|demo|user|@/i.test(match[0])
      )
        continue;
      add(match, secret, 'a login with its password', 'high', 75);
    }
  }
  return leaks;
}

const overlaps = (leaks: Leak[], from: number, to: number) =>
  leaks.some((one) => one.from < to && from < one.to);

/** Whether a value looks chosen to be guessed by nobody, and not like a word, a number or a piece of code. */
function isSecret(value: string, isProse = false): boolean {
  if (value.length < 5 || isStandIn(value)) return false;
  if (
    /^[\w$]+(\.[\w$]+)+[;)]*$|[()[\]{}]|=>|^https?:|^\/|^#|^data:|^\d{1,3}(px|ms|s|%)?$|\+\+|&&/.test(value)
  )
    return false;
  const classes = [/[a-z]/, /[A-Z]/, /\d/, /[^\w\s]/].filter((one) => one.test(value)).length;
  const isMixed = /\d/.test(value) && /[a-z]/i.test(value);
  if (isProse) return isMixed || (classes >= 3 && value.length >= 8);
  return isMixed || (classes >= 3 && value.length >= 8) || /^[0-9a-f]{16,}$/i.test(value);
}
