import { type CountryCode, findPhoneNumbersInText } from 'libphonenumber-js/max';
import { type Detector, EXAMPLE, IDENTIFIER, THING_NUMBER } from './detector.ts';

const PRIVATE =
  /\b(mobile|mob\.|cell(phone| phone)?|private|home( phone| tel\w*)?|personal|handy|mobil|privat\w*|portable|móvil|celular|whatsapp|emergency contact|next of kin|his|her|my|their|daughter|son|mother|father|mum|mom|dad|wife|husband|parent|neighbou?r|patient|client|customer|guest|tenant|resident|employee|applicant|member|student|caller|borrower|witness|participant|attendee|subscriber|beneficiary|donor|candidate|contact for)\b/i;
const PHONE_WORD =
  /\b(phones?|tel(ephone|efon)?|call|ring|text|sms|cell|mobile|mob|handy|mobil|whatsapp|ph|dial|fon|numbers?|reach(ed)?|contact\w*|m|t|h|p)\b[^.!?]{0,30}$/i;
const PUBLIC =
  /\b(call (?:us|any ?time|now|today|ahead)|contact us|our (team|office|hotline|number|phone)|hotline|helpline|help ?line|support|customer (service|care|support)|service (desk|line)|office|reception|front desk|switchboard|head ?quarters|head office|showroom|store|shop|branch|clinic|surgery|school|hotel|restaurant|booking|bookings|reservations?|reserve|toll[- ]?free|free ?phone|fax|sales|press|media|enquir\w+|inquir\w+|opening hours|open (mon|daily)|information line|police|ambulance|fire|poison control|samaritans|zentrale|telefonzentrale|service|vertrieb|kundenservice|bestellhotline|company|business|reg(istered)?|inc|llc|ltd|gmbh|ag|corp|department|dept|council|library|museum|pharmacy|imprint|impressum)\b/i;
const NAME =
  /\b\p{Lu}\p{Ll}+(?:[-'’]\p{Lu}\p{Ll}+)? (?:\p{Lu}\. )?(?:de |van |von |Mc|Mac|O['’])?\p{Lu}\p{Ll}+/u;
const KEY =
  /["']?\b(phone|mobile|cell|tel|telephone|home_?phone|mobile_?(phone|number)|phone_?(number|no)|contact_?number|whatsapp|handy|msisdn)\w*["']?\s*[:=>]?\s*["']?\+?$/i;

const MAX_SEARCHED = 20_000;
const COUNTRIES: CountryCode[] = ['US', 'GB', 'DE'];

/** Detects telephone numbers of persons. Numbers of businesses are public on purpose. */
export const phones: Detector = (surroundings) => {
  const { isShown, isCode, isOrganization, isTaught } = surroundings;
  // The search is slow on long runs of digits.
  const text = surroundings.text.slice(0, MAX_SEARCHED);
  if (isOrganization || !/\d[\d\s().\-/]{5,}\d/.test(text)) return [];
  const found = new Map<number, { to: number; type: string | undefined; written: string }>();
  for (const country of COUNTRIES) {
    for (const { startsAt, endsAt, number } of findPhoneNumbersInText(text, country)) {
      if (found.has(startsAt) || !number.isValid()) continue;
      found.set(startsAt, { to: endsAt, type: number.getType(), written: text.slice(startsAt, endsAt) });
    }
  }
  return [...found].flatMap(([from, { to, type, written }]) => {
    if (isNoPhone(written) || isFictitious(written) || isPartOfToken(text, from, to)) return [];
    const before = surroundings.before(from, 60);
    if (IDENTIFIER.test(before) && !/\b(phone|mobile|cell|tel|call|handy|mobil)\b[^.]{0,15}$/i.test(before))
      return [];
    if (isTaught && !(PHONE_WORD.test(before) && PRIVATE.test(before))) return [];
    const around = surroundings.around(from);
    const heads = surroundings.heads.join(' ');
    if (/^(TOLL_FREE|PREMIUM_RATE|SHARED_COST|UAN|PAGER|VOICEMAIL)$/.test(type ?? '')) return [];
    if (THING_NUMBER.test(before) && !/\b(phone|mobile|cell|tel)\b/i.test(before)) return [];
    // Plain digits may be any number.
    const isWritten = /^\+|^\(|[\s.\-/)]/.test(written);
    if (!isShown) {
      if (!KEY.test(before.trimEnd()) && !(PRIVATE.test(before) && PHONE_WORD.test(before) && isWritten))
        return [];
      if (PUBLIC.test(before)) return [];
    } else {
      if (isCode || (!isWritten && !PHONE_WORD.test(before))) return [];
      const near = `${around} ${heads}`;
      const isPrivate =
        PRIVATE.test(before) || PRIVATE.test(heads) || (PRIVATE.test(around) && !PUBLIC.test(around));
      const isNamed = NAME.test(before.slice(-50)) && !PUBLIC.test(near);
      const isPublic = PUBLIC.test(before) || (PUBLIC.test(around) && !PRIVATE.test(before));
      const isMeant =
        /^\+/.test(written) ||
        PHONE_WORD.test(before) ||
        /phone|mobile|cell|tel/i.test(heads) ||
        /[()-]/.test(written) ||
        type === 'MOBILE';
      if (isPublic || !isMeant || (!isPrivate && !isNamed) || EXAMPLE.test(around)) return [];
    }
    return [
      {
        kind: 'phone',
        noun: 'private telephone number',
        from,
        to,
        severity: 'medium',
        confidence: 75,
      } as const,
    ];
  });
};

/** True for numbers that are reserved for fiction: 555-01xx in North America, and those of Ofcom in Britain. */
const isFictitious = (written: string): boolean => {
  const digits = written.replace(/\D/g, '').replace(/^00/, '');
  if (/^1?\d{3}55501\d{2}$/.test(digits) || /^1?\d{3}5550100$|^1?\d{3}5551212$/.test(digits)) return true;
  const british = digits.replace(/^44(?:0)?|^0/, '');
  return /^(?:1632960|7700900|2079460|1134960|1144960|1154960|1164960|1174960|1184960|1214960|1314960|1414960|1514960|1614960|1914980|2890180|2920180|8081570|9098790|3069990)\d{3}$/.test(
    british,
  );
};

/** True for digits within a longer name, such as a version, a hash, a path or a range. */
const isPartOfToken = (text: string, from: number, to: number): boolean =>
  /[\p{L}\p{N}_#/\\=]$|[\p{L}\p{N}][-.:]$/u.test(text.slice(Math.max(0, from - 2), from)) ||
  /^(?:[\p{L}_/\\]|[-.:]\p{N})/u.test(text.slice(to, to + 2));

/** True for dates, ranges of years and short numbers, which look alike. */
const isNoPhone = (written: string): boolean =>
  /(?:19|20)\d{2}\s?[-–./ ]\s?(?:(?:19|20)\d{2}|\d{1,2}[-./ ]\d{1,2})(?!\d)/.test(written) ||
  (!written.startsWith('+') && written.replace(/\D/g, '').length < 9);
