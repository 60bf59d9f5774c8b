import { countrySpecs, isValidIBAN } from 'ibantools';
import { isLuhn } from './check-digits.ts';
import { type Detector, EXAMPLE, THING_NUMBER } from './detector.ts';

const CARD = /(?<![\w.+-])\d(?:[ -]?\d){12,18}(?![\w-]|[.,]\d)/g;
const CARD_WORD =
  /\b(cards?|visa|master ?card|amex|american express|discover|diners|jcb|maestro|credit|debit|cc|ccn|pan|payment|paid|card_?(number|no|num)|kreditkarte\w*|karte\w*|carte|tarjeta|cvv|cvc|exp(iry|ires)?)\b|card/i;
const NO_CARD =
  /\b(tracking|serial|licen[cs]e|isbn|imei|iccid|sim|barcode|ean|gtin|upc|account id|meter|device|gift|loyalty|library|membership|timestamp|hash|uuid|pi|digits of)\b/i;
/** Test numbers that payment services publish. */
const TEST_CARDS = new Set(
  (
    '4111111111111111 4242424242424242 4012888888881881 4000056655665556 4222222222222 5555555555554444 ' +
    '5105105105105100 2223003122003222 5200828282828210 378282246310005 371449635398431 378734493671000 ' +
    '6011111111111117 6011000990139424 30569309025904 38520000023237 3056930009020004 3530111333300000 ' +
    '3566002020360505 6200000000000005 4000000000000002 4000000000000077 4000002500003155 5424000000000015'
  ).split(' '),
);

/**
 * Detects payment card numbers: in the range of an issuer, with a correct check digit, and named or grouped as such.
 */
export const cards: Detector = (surroundings) =>
  [...surroundings.text.matchAll(CARD)].flatMap((match) => {
    const digits = match[0].replace(/\D/g, '');
    if (!isIssued(digits) || !isLuhn(digits) || /^(\d)\1+$/.test(digits)) return [];
    const before = surroundings.before(match.index, 60);
    const around = surroundings.around(match.index);
    const isGrouped = /^\d{4}([ -])\d{4}\1\d{4}\1\d{1,7}$|^\d{4}([ -])\d{6}\2\d{4,5}$/.test(match[0]);
    const isSaid = CARD_WORD.test(before) || surroundings.heads.some((head) => CARD_WORD.test(head));
    const isTest = TEST_CARDS.has(digits);
    if (!isSaid && (!isGrouped || THING_NUMBER.test(before) || NO_CARD.test(before))) return [];
    if (surroundings.isCode && (isTest || !isSaid)) return [];
    if (isTest && EXAMPLE.test(around)) return [];
    return [
      {
        kind: 'card-number',
        noun: isTest ? 'payment card number (one that is published for tests)' : 'payment card number',
        from: match.index,
        to: match.index + match[0].length,
        severity: isTest ? 'low' : 'critical',
        confidence: isTest ? 70 : isSaid ? 95 : 80,
      },
    ];
  });

function isIssued(digits: string): boolean {
  const { length } = digits;
  if (/^4/.test(digits)) return length === 16 || length === 13 || length === 19;
  if (/^(5[1-5]|222[1-9]|22[3-9]|2[3-6]|27[01]|2720)/.test(digits)) return length === 16;
  if (/^3[47]/.test(digits)) return length === 15;
  if (/^(6011|65|64[4-9]|35(2[89]|[3-8]))/.test(digits)) return length === 16;
  if (/^(36|38|39|30[0-5])/.test(digits)) return length === 14 || length === 16;
  return /^62/.test(digits) && length >= 16;
}

const IBAN = /(?<![\w])[A-Z]{2}\d{2}(?:[ -]?[A-Z0-9]{4}){2,7}(?:[ -]?[A-Z0-9]{1,3})?(?!\w)/g;
const PUBLIC_ACCOUNT =
  /\b(donat\w*|spende\w*|our (bank )?(account|details)|pay(able)? to|bank details|bankverbindung|beneficiary|transfer (the amount|your|to our)|imprint|impressum|association|charity|foundation|e\.\s?V\.|gmbh|ltd|inc|limited|llc|company|club)\b/i;

/** Detects bank accounts of persons. Accounts of businesses and charities are public on purpose. */
export const ibans: Detector = (surroundings) =>
  [...surroundings.text.matchAll(IBAN)].flatMap((match) => {
    const bare = match[0].replace(/[ -]/g, '');
    const length = countrySpecs[bare.slice(0, 2)]?.chars ?? Number.POSITIVE_INFINITY;
    if (!isValidIBAN(bare.slice(0, length))) return [];
    const around = surroundings.around(match.index);
    const isPrivate =
      /\b(customer|client|employee|salary|refund|his|her|private|personal|tenant|payee|holder|account of|member|patient|direct debit|mandate)\b/i;
    if (surroundings.isShown && PUBLIC_ACCOUNT.test(around) && !isPrivate.test(around)) return [];
    if (surroundings.isOrganization || surroundings.isCode || EXAMPLE.test(around)) return [];
    const to = match.index + lengthOf(match[0], length);
    return [
      {
        kind: 'iban',
        noun: 'bank account number (IBAN)',
        from: match.index,
        to,
        severity: 'critical',
        confidence: 90,
      } as const,
    ];
  });

/** Length of the beginning of a text that contains the given number of characters, spaces and dashes not counted. */
function lengthOf(text: string, characters: number): number {
  let seen = 0;
  for (let at = 0; at < text.length; at += 1) {
    if (/[^ -]/.test(text[at]!)) seen += 1;
    if (seen === characters) return at + 1;
  }
  return text.length;
}
