import { type CountryCode, findPhoneNumbersInText } from 'libphonenumber-js/max';
import { type Detector, EXAMPLE, THING_NUMBER } from './detector.ts';

const PRIVATE =
  /\b(mobile|mob\.|cell(phone| phone)?|private|home( phone| tel\w*)?|personal|handy|mobil|privat\w*|portable|móvil|celular|whatsapp|emergency contact|next of kin|his|her|my|their|daughter|son|mother|father|mum|mom|dad|wife|husband|parent|neighbou?r|patient|client|customer|guest|tenant|resident|employee|applicant|member|student|caller|borrower|witness|participant|attendee|subscriber|beneficiary|donor|candidate|contact for)\b/i;
const PHONE_WORD =
  /\b(phones?|tel(ephone|efon)?|call|ring|text|sms|cell|mobile|mob|handy|mobil|whatsapp|ph|dial|fon|numbers?|reach(ed)?|contact\w*|m|t|h|p)\b[^.!?]{0,30}$/i;
const PUBLIC =
  /\b(call us|contact us|our (team|office|hotline|number|phone)|hotline|helpline|help ?line|support|customer (service|care|support)|service (desk|line)|office|reception|front desk|switchboard|head ?quarters|head office|showroom|store|shop|branch|clinic|surgery|school|hotel|restaurant|booking|bookings|reservations?|reserve|toll[- ]?free|free ?phone|fax|sales|press|media|enquir\w+|inquir\w+|opening hours|open (mon|daily)|information line|police|ambulance|fire|poison control|samaritans|zentrale|telefonzentrale|service|vertrieb|kundenservice|bestellhotline|company|business|reg(istered)?|inc|llc|ltd|gmbh|ag|corp|department|dept|council|library|museum|pharmacy|imprint|impressum)\b/i;
const NAME =
  /\b\p{Lu}\p{Ll}+(?:[-'’]\p{Lu}\p{Ll}+)? (?:\p{Lu}\. )?(?:de |van |von |Mc|Mac|O['’])?\p{Lu}\p{Ll}+/u;
const KEY =
  /["']?\b(phone|mobile|cell|tel|telephone|home_?phone|mobile_?(phone|number)|phone_?(number|no)|contact_?number|whatsapp|handy|msisdn)\w*["']?\s*[:=>]?\s*["']?\+?$/i;

const MAX_SEARCHED = 20_000;
const COUNTRIES: CountryCode[] = ['US', 'GB', 'DE'];

/** Detects telephone numbers of persons. Numbers of businesses are public on purpose. */
export const phones: Detector = (surroundings) => {
  const { isShown, isCode, isOrganization } = surroundings;
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
    if (isNoPhone(written)) return [];
    const before = surroundings.before(from, 60);
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

/** True for dates, ranges of years and short numbers, which look alike. */
const isNoPhone = (written: string): boolean =>
  /(?:19|20)\d{2}\s?[-–./ ]\s?(?:(?:19|20)\d{2}|\d{1,2}[-./ ]\d{1,2})(?!\d)/.test(written) ||
  (!written.startsWith('+') && written.replace(/\D/g, '').length < 9);
