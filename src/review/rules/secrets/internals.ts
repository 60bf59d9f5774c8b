import { type Leak, type LeakSource, REMOVE } from './leak.ts';
import { type SecretIssue, secretRules } from './secret-rules.ts';

interface InternalsKind {
  issueType: SecretIssue;
  noun: string;
  pattern: RegExp;
  /** Default: that of the issue type. */
  severity?: Leak['severity'];
  in: readonly LeakSource['kind'][];
  /** If this matches around the text, it is no leak. */
  unless?: RegExp;
  confidence?: number;
}

const SHOWN = ['words', 'text'] as const;
const HIDDEN = ['comment', 'script', 'attribute'] as const;
const ANY = [...SHOWN, ...HIDDEN] as const;

/** Statements in preformatted text are samples; those that a server leaves behind stand in running text. */
const STATEMENT = 'a statement of a database';
/** Homes of the persons of manuals. */
const INVENTED_HOME =
  /(?:home|Users|Settings)[\\/](?:user\w*|you\w*|me|my\w*|name|john|jane|joe|fred|alice|bob|foo|bar|example|someone|username|test)(?:[\\/]|$)/i;

/** Text about the internals of an organization and its systems. */
const KINDS: readonly InternalsKind[] = [
  ...[
    /\b(?:Fatal error|Parse error|Warning|Notice|Deprecated): [^\n]{5,200}? in \/?[\w/\\:.-]+\.(?:php|inc|phtml)(?::\d+| on line \d+)/g,
    /\bUncaught (?:\w+\\?)*(?:Error|Exception)\b: [^\n]{5,160}|\bStack trace: ?#0/g,
    /\bTraceback \(most recent call last\):/g,
    /\bException in thread "[^"]+"|\bCaused by: [\w.]+(?:Exception|Error)\b|\bat [\w$.]{3,150}\([\w$]{1,60}\.(?:java|kt|scala):\d+\)/g,
    /\bat [\w$.<>[\]]{1,150} ?(?:\[as \w+\] )?\((?:file:\/\/)?\/[\w/.@-]+\.(?:js|ts|mjs|cjs):\d+:\d+\)/g,
    /\bServer Error in '[^']*' Application|\bat [\w.`<>]{3,150}\([^()\n]{0,150}\) in [A-Z]:\\[^:]+:line \d+|\bSystem\.\w+(?:\.\w+)*Exception:/g,
    /\b[\w/.-]+\.rb:\d+:in [`'][\w <>]+'/g,
    /\bYou have an error in your SQL syntax|\bSQLSTATE\[\w+\]|\bORA-\d{5}:|\bPG::\w+Error|\bUnclosed quotation mark after|\bpg_query\(\)|\bmysqli?_\w+\(\):/g,
    /\bbecause you have DEBUG ?= ?True\b|\bWhoops, looks like something went wrong\b|\bActionController::\w+|\bDjango Version:|\bWerkzeug Debugger\b|\bgoroutine \d+ \[running\]:/g,
    /\b(?:TypeError|ReferenceError|SyntaxError|RangeError|NullPointerException|KeyError|AttributeError|ValueError|NullReferenceException): [^\n.]{5,120}/g,
  ].map((pattern) => ({
    issueType: 'stack-trace' as const,
    noun: 'an error message of the server or a script',
    pattern,
    in: ['words', 'text', 'comment'] as const,
    unless:
      /\b(how to|tutorial|means|fix(es|ed)?|explained|documentation|throws?|raises?|changelog|released?)\b/i,
  })),
  {
    issueType: 'debug-output',
    noun: 'debugging output',
    pattern:
      /\b(?:array|object)\(\w*#?\d+\) ?(?:#\d+ )?(?:\(\d+\) )?\{ ?\["?\w|\bArray ?\( ?\[\w+\] =>|\bstdClass Object\b|\bvar_dump\(|\bprint_r\(|^\W*\[?(?:DEBUG|TRACE)\]?\b ?[:\]-] ?(?=[^\n]*[=\d{])|(?<!\w)\[DEBUG\]|\bDEBUG: (?=[^\n]*[=\d{])|\bdebug (?:info|output): |\bdebug mode is (?:on|enabled)\b|\b(?:debug|verbose)\s*[=:]\s*(?:true|1|on)\b|\bExecution time: [\d.]+ ?m?s\b|\bQueries: \d+|\bquery took [\d.]+|\bMemory usage: [\d.]+|\brequest[_ ]id[:=] ?\w+.{0,40}\buser[_ ]id/gim,
    in: ['words', 'text', 'comment'],
  },
  {
    issueType: 'debug-output',
    noun: STATEMENT,
    pattern:
      /\bSELECT\s+(?:DISTINCT\s+)?[\w*.`"()]{1,40}(?:(?:\s*,\s*|\s+AS\s+)[\w*.`"()]{1,40}){0,20}\s+FROM\s+[\w."`]+|\bINSERT INTO\s+\w+|\bUPDATE\s+\w+\s+SET\s+\w+|\bDELETE FROM\s+\w+/g,
    severity: 'medium',
    in: ['comment', 'words', 'text'],
  },
  {
    issueType: 'directory-listing',
    noun: 'the listing of a directory',
    pattern: /^Index of \/[^\n]{0,80}|^Directory listing for \/|\[To Parent Directory\]/g,
    in: ['words'],
  },
  {
    issueType: 'confidential-text',
    noun: 'text that is marked as confidential',
    pattern:
      /\b(?:for )?internal use only\b|\bstrictly (?:private and )?confidential\b|\b(?:company|highly|private (?:and|&)|internal(?: and|,| &)?) confidential\b|\bconfidential(?: draft|: (?:do not|internal|not for))\b|^\W*confidential\W*$|(?:^|[.!:;–—-] ?)do not (?:distribute|publish|share (?:externally|outside)|circulate|make public|forward outside)\b|\bnot for (?:public )?(?:release|distribution|publication)\b|\binternal (?:draft|memo(?:randum)?|document)\b|\bstaff only\b|\bembargoed until\b|\bnur für den internen gebrauch\b|\bstreng vertraulich\b/gi,
    in: [...SHOWN, 'comment'],
    unless:
      /\b(licen[cs]ee?|licen[cs]ed|agreement|you may|personal and|policy|kept|treated|remains?|entrance|door|doors|parking)\b/i,
    confidence: 85,
  },
  {
    issueType: 'internal-comment',
    noun: 'an internal note',
    pattern:
      /\b(?:remove|delete|disable|change|fix|rotate|hide)\b[^\n]{0,50}\b(?:before|prior to|until) (?:go(?:ing)?[ -]live|launch|release|production|deploy\w*|prod|we ship|shipping)\b|\b(?:hard-?coded|temporary|temp|default|test) (?:password|credentials?|login|account|admin|key)\b|\b(?:bypass(?:es)?|skip(?:s|ping)?|disabled?) (?:the )?(?:auth(?:entication|orization)?|login|security|permission)\b|\bbackdoor\b|\b(?:security|known) (?:hole|vulnerability|issue|bug)\b|\b(?:sql injection|xss|csrf)\b[^\n]{0,40}\b(?:here|fix|todo|vulnerab\w+)\b|\b(?:vulnerable|unpatched|insecure)\b|\bfix ?me\b[^\n]{0,60}\b(?:auth|security|permission|leak|unsafe|sanitiz|escap)|\bdon'?t tell (?:the )?(?:client|customers?)\b|\bthe client (?:must|should) not\b|\bhack(?:y)?:/gi,
    in: ['comment'],
    confidence: 80,
  },
  {
    issueType: 'source-map',
    noun: 'the address of a source map',
    pattern: /\/[/*][#@] ?sourceMappingURL=[^\s*]{1,200}/g,
    in: ['script', 'style'],
    confidence: 70,
  },
  {
    issueType: 'exposed-file',
    noun: 'a link to a file of the server or a backup',
    pattern:
      /(?:^|\/)(?:\.env(?:\.\w+)?|\.git\/(?:config|HEAD)|\.git\/?|\.svn\/?\w*|\.htpasswd|\.htaccess|\.DS_Store|\.npmrc|\.aws\/credentials|id_rsa|wp-config\.php[.~\w]*|web\.config|phpinfo\.php|server-status|adminer\.php|phpmyadmin\/?|(?:[\w-]+\.)+(?:bak|old|orig|swp|sql|sql\.gz|dump|tar\.gz\.bak|php~|js\.map|css\.map)|(?:backup|dump|db|database|site)[\w-]*\.(?:zip|tar|tar\.gz|tgz|gz|sql|7z|rar))(?=$|[?#])/gi,
    in: ['attribute'],
    confidence: 85,
  },
  {
    issueType: 'internal-path',
    noun: 'a path on a machine of yours',
    pattern:
      /\bfile:\/\/\/[\w:/%.-]{4,}|\b[A-Z]:\\(?:Users|inetpub|Projects|dev|work|Windows|Program Files|xampp|wamp)\\[\w\\ .-]{2,}|(?<![\w\\])\\\\[\w-]{3,}\\[\w$\\.-]{2,}|(?<![\w.])\/(?:home\/[a-z][\w-]+|Users\/[A-Za-z][\w-]+|var\/www|srv\/\w+|opt\/[\w-]+\/[\w-]+|root)\/[\w./-]{3,}/g,
    in: ANY,
    confidence: 75,
  },
];

const PRIVATE_IP =
  /(?<![\w.-])(?:10\.\d{1,3}\.\d{1,3}\.\d{1,3}|192\.168\.\d{1,3}\.\d{1,3}|172\.(?:1[6-9]|2\d|3[01])\.\d{1,3}\.\d{1,3}|169\.254\.169\.254)(?::\d{2,5})?(?![\w.]|-\d)/g;
const INTERNAL_HOST =
  /(?<![\w.@#-]|\w\/)(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.)+(?:internal|local|lan|corp|intranet|localdomain|private|svc|cluster\.local|home\.arpa)(?::\d{2,5})?(?![\w.-]*\w)/gi;
const LOOPBACK =
  /(?<![\w.-])(?:https?:)?\/\/(?:localhost|127\.0\.0\.1|0\.0\.0\.0|\[::1\])(?::\d{2,5})?(?=[/"'\s<?#]|$)/gi;
const INVENTED_HOST =
  /(?:^|[.-])(?:example|acme|foo|bar|baz|my\w*|your\w*|host\w*|server\w*|domain|test|company)\d*\./i;
const STAGING =
  /(?:https?:)?\/\/(?:[\w-]+\.)*(?:staging|stage|stg|preprod|pre-prod|uat|qa|intranet|internal|dev\d*|test)(?:-[\w-]+)?\.[\w-]+(?:\.[\w-]+)+|(?:https?:)?\/\/[\w-]+-(?:staging|stage|stg|preprod|uat|qa|dev|internal)\.[\w-]+(?:\.[\w-]+)+/gi;
const PUBLIC_DEV = /\/\/(dev\.(to|mysql\.com|azure\.com|w3\.org)|test\.pypi\.org|dev\.twitch|developer)/i;

function hostLeaks({ text, kind, label, ownHost, isTaught, isPreformatted }: LeakSource): Leak[] {
  if (kind === 'code' || kind === 'style' || kind === 'linked-data' || (isTaught && isPreformatted))
    return [];
  const isHidden = kind === 'comment' || kind === 'script' || kind === 'attribute';
  const patterns = [PRIVATE_IP, INTERNAL_HOST, LOOPBACK, ...(isHidden ? [STAGING] : [])];
  return patterns.flatMap((pattern) =>
    [...text.matchAll(pattern)].flatMap((match): Leak[] => {
      const host = match[0].replace(/^(https?:)?\/\//, '');
      if (host === ownHost || host.startsWith(`${ownHost}/`) || PUBLIC_DEV.test(match[0])) return [];
      const before = text.slice(Math.max(0, match.index - 40), match.index);
      const around = text.slice(Math.max(0, match.index - 120), match.index + 120);
      if (pattern === PRIVATE_IP && !isAddress(host, before)) return [];
      // Lessons are about addresses of local networks, and link to servers that the reader has started.
      if (
        isTaught &&
        (pattern === PRIVATE_IP || pattern === LOOPBACK) &&
        (!isHidden || /^(href|src|action)$/.test(label))
      )
        return [];
      if (
        isTaught &&
        pattern === INTERNAL_HOST &&
        (INVENTED_HOST.test(host) || /^[^.:]+\.[^.:]+$/.test(host))
      )
        return [];
      if (pattern === STAGING && kind === 'attribute' && !isOwnStaging(match[0], ownHost)) return [];
      // Private addresses also occur in texts about routers and local development.
      const isAboutNetworks =
        /\b(router|modem|your browser|wi-?fi|default gateway|for example|such as|home network|printer|subnet|rfc ?1918|private (ip|address|range)|install|run|start(s|ed)?|development|tutorial)\b|\be\.\s?g\./i;
      if (!isHidden && isAboutNetworks.test(around)) return [];
      if (
        kind === 'script' &&
        /\b(hostname|location|match|indexOf|includes|test|===?|!==?)\b[^\n]{0,40}$|[=!]=\s*["']$/.test(before)
      )
        return [];
      if (/mdns|bonjour|\.local\b/.test(match[0]) && /\.(?:js|css|png|html)/.test(match[0])) return [];
      return [
        leakOf(match, 'internal-host', 'the address of an internal host', pattern === STAGING ? 75 : 90),
      ];
    }),
  );
}

/** True if a linked address is of a test system of the site. Hosts such as qa.debian.org of others are public. */
function isOwnStaging(address: string, ownHost: string): boolean {
  const site = (host: string) => host.replace(/:\d+$/, '').split('.').slice(-2).join('.');
  const host = address.replace(/^(https?:)?\/\//, '');
  return (
    site(host) === site(ownHost) || /(^|[.-])(staging|stg|preprod|pre-prod|uat|intranet)[.-]/i.test(host)
  );
}

const isAddress = (host: string, before: string): boolean =>
  host
    .split(':')[0]!
    .split('.')
    .every((part) => Number(part) < 256) &&
  !/\b(v|ver|version|release|build|firmware|driver|update|section|chapter|clause|§)\.?\s*$/i.test(before);

export function internalLeaks(source: LeakSource): Leak[] {
  const { text, kind, label, isTaught, isPreformatted } = source;
  if (kind === 'code' || (isTaught && isPreformatted)) return [];
  const found = KINDS.filter((one) => one.in.includes(kind)).flatMap((one) =>
    [...text.matchAll(one.pattern)].flatMap((match): Leak[] => {
      const around = text.slice(Math.max(0, match.index - 120), match.index + match[0].length + 120);
      if (one.noun === STATEMENT && isPreformatted) return [];
      if (one.issueType === 'internal-path' && INVENTED_HOME.test(match[0])) return [];
      if (one.unless?.test(around) || (isTaught && isSubject(one, match[0], kind))) return [];
      if (one.issueType === 'exposed-file' && !/^(href|src|action|data|download)\b/.test(label.trim()))
        return [];
      return [leakOf(match, one.issueType, one.noun, one.confidence ?? 90, one.severity)];
    }),
  );
  return [...found, ...hostLeaks(source)];
}

/** True for text that is the subject of a lesson, unlike a message that the server itself has left on the page. */
function isSubject({ issueType }: InternalsKind, found: string, kind: LeakSource['kind']): boolean {
  const isShown = kind === 'words' || kind === 'text';
  if (issueType === 'debug-output') return isShown;
  if (issueType === 'internal-path') return isShown;
  // Manuals say of an option that it is for internal use only.
  if (issueType === 'confidential-text') return /^for internal use only$/i.test(found);
  if (issueType !== 'stack-trace' || !isShown) return false;
  return !/\.(php|inc|phtml|java|kt|js|ts|rb|cs)\b.{0,12}\d|^SQLSTATE|^ORA-|^You have an error in your SQL|^Server Error in/.test(
    found,
  );
}

const leakOf = (
  match: RegExpExecArray,
  issueType: SecretIssue,
  noun: string,
  confidence: number,
  severity: Leak['severity'] = secretRules[issueType].severity,
): Leak => ({
  issueType,
  noun,
  from: match.index,
  to: match.index + match[0].length,
  quotable: 60,
  severity,
  confidence,
  suggestion: REMOVE,
});
