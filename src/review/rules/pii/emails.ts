import { type Detector, EXAMPLE } from './detector.ts';

const EMAIL =
  /(?<![\w.+%/=-])[a-z0-9](?:[\w.+-]{0,62}[a-z0-9_])?@(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]{2,18}(?![\w@-])/gi;
/** E-mail addresses that are written to evade harvesters. */
const DISGUISED =
  /(?<![\w.])[a-z0-9][\w.+-]{1,60}\s*(?:\[at\]|\(at\)|\{at\}|&#64;|&commat;| at )\s*(?:[a-z0-9-]+\s*(?:\[dot\]|\(dot\)|\{dot\}|\.| dot )\s*)+(?:com|net|org|de|co|uk|fr|es|it|io|eu|us|ca|info|me)\b/gi;
const ROLE =
  /^(info|support|contact|contactus|sales|hello|hi|hey|help|helpdesk|admin|administration|office|press|media|pr|jobs?|careers?|work|hr|recruiting|recruitment|talent|bewerbung|privacy|legal|compliance|billing|accounts?|accounting|finance|invoices?|noreply|no|donotreply|webmaster|postmaster|hostmaster|abuse|security|team|service|services|kundenservice|kontakt|mail|email|opencode|opensource|oss|conduct|coc|enquir(y|ies)|inquir(y|ies)|reservations?|bookings?|orders?|shop|store|marketing|news|newsletter|feedback|events?|partners?|partnerships?|dpo|gdpr|datenschutz|impressum|investors?|ir|editor|editorial|redaktion|letters|tips|reception|concierge|returns|shipping|warranty|customer|customers|customercare|care|clients?|members?|membership|community|general|ask|volunteer|donate|donations|verwaltung|zentrale|empfang|anfrage|post|presse|contacto|ventas|soporte|ayuda|commercial|accueil|bonjour|api|dev|devs|developers?|bugs?|opensource|root|system|alerts?|notifications?|updates?|git|test|user|username|you|your|name|yourname|someone|example|foo|bar|sample|demo|licensing|copyright|standards|public|main|desk|studio|agency|school|library|clinic|praxis|hotel|restaurant|cafe|bakery|garage)(?=$|[._+-]|\d)/i;
const FREE =
  /@(gmail|googlemail|yahoo|ymail|hotmail|outlook|live|msn|aol|icloud|me|mac|gmx|web|t-online|freenet|mail|protonmail|proton|pm|tutanota|zoho|yandex|qq|163|126|orange|wanadoo|laposte|free|libero|btinternet|sky|comcast|verizon|hey|fastmail|mailbox|posteo|bluewin)\.(com|de|net|org|fr|es|it|co\.uk|uk|me|ch|at|ru|ca|com\.au|co|us|eu)$/i;
const RESERVED =
  /@([\w-]+\.)*(example\.(com|org|net|edu)|[\w-]+\.(test|example|invalid|local|localhost)|(your|my)-?(domain|company|email|site)\.\w+|(domain|email|company|test)\.(com|org|net))$/i;
/** Addresses of lists and repositories, packages and files that look like e-mail addresses. */
const NO_MAIL =
  /\.(png|jpe?g|gif|svg|webp|css|js|ts|json|html?)$|@(lists?\.|groups\.|googlegroups\.)|@(sentry|[\w.]*ingest)\b|@[\dx.]+x\./i;
/** Words that say that an address belongs to a private person. */
const PRIVATE =
  /(?<![.@\w-])(private|personal|home|customers?|clients?|patients?|tenants?|guests?|residents?|members?|students?|applicants?|subscribers?|donors?|buyers?|employees?|former|his|her|neighbou?rs?|victims?|privat\w*|kund(e|in)\w*|patient\w*)(?![.@\w-])[^@]{0,60}$/i;
/** Words of an invitation to write. */
const CONTACT =
  /\b(write|e-?mails?|mail|send|contact\w*|reach|direct|address(ed)?|questions?|feedback|reports?|suggestions?|comments?|enquir\w+|inquir\w+|envíe|escri\w+|écri\w+|schreib\w*|wenden|kontakt\w*|scriv\w+)\b[^.!?@]{0,40}$/i;
/** Matches names of fictitious persons. */
const FICTITIOUS =
  /^(john|jane|max|erika|joe)?[._-]?(doe|muster(mann|frau)?|bloggs|public)\b|^(first|last|vorname|nachname|given)/i;
const OFFICIAL =
  /\b(press|media|sales|business|partner(ship)?|editorial|author|corresponding author|data protection|datenschutz|responsible|verantwortlich|managing director|geschäftsführ\w+|imprint|impressum|contact person|ansprechpartner\w*|maintain(er|ed)|copyright|\(c\)|©|@author|licen[cs]e)\b/i;

/**
 * Detects mailboxes of persons. Mailboxes of roles, of the site itself and of fictitious persons are public on purpose.
 */
export const emails: Detector = (surroundings, { ownDomains, offered }) => {
  const { text, isCode, isOrganization, isTaught, isShown } = surroundings;
  if (isOrganization) return [];
  const plain = [...text.matchAll(EMAIL)].map((match) => ({ match, address: match[0] }));
  const disguised = [...text.matchAll(DISGUISED)]
    .map((match) => ({ match, address: undisguised(match[0]) }))
    // "Servers at msn.com" names no mailbox.
    .filter(({ match, address }) => /[[({&]/.test(match[0]) || (FREE.test(address) && isSpelled(match[0])));
  return [...plain, ...disguised].flatMap(({ match, address }) => {
    const [local = '', domain = ''] = address.toLowerCase().split('@');
    if (ROLE.test(local) || NO_MAIL.test(address) || isOwn(domain, ownDomains)) return [];
    const before = surroundings.before(match.index, 80);
    // Before the @ of a URL are a user and a password.
    if (/:\/\/[^\s"'<>]*$/.test(before)) return [];
    const isFree = FREE.test(address);
    if (RESERVED.test(address)) {
      const isName = /^[a-z]{2,}[._-][a-z]{2,}\d*$/.test(local) && !FICTITIOUS.test(local);
      if (!isName || isCode || EXAMPLE.test(surroundings.around(match.index))) return [];
    }
    if (isCode && !isFree) return [];
    if (!isFree && OFFICIAL.test(before)) return [];
    if (isUnitOrNumber(address)) return [];
    const isOffered = offered.has(address.toLowerCase());
    const isPersons = PRIVATE.test(before);
    // A mailbox at work that the page offers is the contact of the firm.
    if (isOffered && !isFree && !isPersons) return [];
    if (isTaught && !isPersons && (!isFree || isOffered || isCredit(before))) return [];
    if (isShown && !isFree && CONTACT.test(before) && !isPersons) return [];
    if (/(@author|copyright|\(c\)|©|licen[cs]e[d]?|https?:\/\/[^\s"'<>]*)\s*[^"'\n]{0,40}$/i.test(before))
      return [];
    return [
      {
        kind: 'email',
        noun: 'private e-mail address',
        from: match.index,
        to: match.index + match[0].length,
        // A person who offers a private mailbox does so on purpose.
        severity: isOffered && !isPersons ? 'low' : 'medium',
        confidence: isOffered && !isPersons ? 60 : isFree ? 90 : 75,
      },
    ];
  });
};

/** True if `at` stands between the parts of an address: the dot is spelled too, or the name is none of a thing. */
const isSpelled = (text: string): boolean => / dot /i.test(text) || /^\S*[._+\d]\S* /.test(text);

/** True after a name in the credits of software: `Jane Roe <` or `by`. */
const isCredit = (before: string): boolean =>
  /\p{Lu}[\p{L}.'-]*\s*[<(&;lt[]*$/u.test(before) ||
  /\b(by|authors?|editors?|maintainers?|thanks to|from|patch)\b[^.]{0,50}$/i.test(before);

/** True for names of services and numbers of bugs before the @. */
const isUnitOrNumber = (address: string): boolean =>
  /\.(service|socket|timer|target|mount|slice|device|path)$/i.test(address) || /^\d+(-\w+)?@/.test(address);

/** The page's own domains: those it is served from, and those of its mailboxes for roles. */
export function ownDomainsOf(text: string, urls: readonly string[]): Set<string> {
  const hosts = urls.map((url) => URL.parse(url)?.hostname ?? '');
  const roles = [...text.matchAll(EMAIL)]
    .map((match) => match[0].toLowerCase())
    .filter((address) => ROLE.test(address) && !FREE.test(address) && !RESERVED.test(address))
    .map((address) => address.split('@')[1]!);
  return new Set(
    [...hosts, ...roles].filter((host) => host.includes('.')).map((host) => host.replace(/^www\./, '')),
  );
}

const isOwn = (domain: string, own: ReadonlySet<string>): boolean =>
  [...own].some((one) => domain === one || domain.endsWith(`.${one}`) || one.endsWith(`.${domain}`));

const undisguised = (text: string): string =>
  text
    .replace(/\s*(\[at\]|\(at\)|\{at\}|&#64;|&commat;| at )\s*/i, '@')
    .replace(/\s*(\[dot\]|\(dot\)|\{dot\}| dot )\s*/gi, '.')
    .replace(/\s/g, '');
