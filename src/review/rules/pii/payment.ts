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
    '3566002020360505 6200000000000005 4000000000000002 4000000000000077 4000002500003155 5424000000000015 ' +
    '4000000000000101 4000000000000127 4000000000000069 4000000000000119 4000000000009995 4000000000000259 ' +
    '4000002760003184 4000003800000446 4012000033330026 4005519200000004 4009348888881881 4012000077777777 ' +
    '4217651111111119 4500600000000061 4917610000000000 4484070000000000 4000620000000007 4111110000000211 ' +
    '5555341244441115 5454545454545454 5425233430109903 5431111111111111 2222420000001113 2222630000001125 ' +
    '2720992593456781 2223000048400011 5200000000000007 5506900490000436 5577000055770004 5100000010001004 ' +
    '370000000000002 371144371144376 341111111111111 374245455400126 378734493671000 6011000000000004 ' +
    '6011000400000000 6011601160116611 3566111111111113 36148900647913 36227206271667 3530111333300000 ' +
    '1234567812345670 4007000000027 4012888818888 4242424242424241 4000000000000000 6759649826438453 5019717010103742'
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
    const isGrouped = /^\d{4}([ -])\d{4}\1\d{4}\1\d{1,7}$|^\d{4}([ -])\d{6}\2\d{4,5}$/.test(match[0]);
    const isSaid = CARD_WORD.test(before) || surroundings.heads.some((head) => CARD_WORD.test(head));
    if (TEST_CARDS.has(digits)) return [];
    if (!isSaid && (!isGrouped || THING_NUMBER.test(before) || NO_CARD.test(before))) return [];
    if ((surroundings.isCode || surroundings.isTaught) && !isSaid) return [];
    return [
      {
        kind: 'card-number',
        noun: 'payment card number',
        from: match.index,
        to: match.index + match[0].length,
        severity: 'critical',
        confidence: isSaid ? 95 : 80,
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
/** Accounts that banks and the registry of IBANs publish as examples. */
const PUBLISHED = new Set(
  (
    'DE89370400440532013000 DE75512108001245126199 DE12500105170648489890 DE02120300000000202051 DE91100000000123456789 ' +
    'GB82WEST12345698765432 GB29NWBK60161331926819 GB33BUKB20201555555555 GB94BARC10201530093459 GB98MIDL07009312345678 ' +
    'FR1420041010050500013M02606 FR7630006000011234567890189 IT60X0542811101000000123456 ES9121000418450200051332 ' +
    'ES7921000813610123456789 NL91ABNA0417164300 NL20INGB0001234567 NL02ABNA0123456789 BE68539007547034 BE71096123456769 ' +
    'AT611904300234573201 AT483200000012345864 CH9300762011623852957 CH5604835012345678009 LI21088100002324013AA ' +
    'LU280019400644750000 IE29AIBK93115212345678 IE64IRCE92050112345678 PT50000201231234567890154 DK5000400440116243 ' +
    'NO9386011117947 SE4550000000058398257466 FI2112345600000785 FI1410093000123458 PL61109010140000071219812874 ' +
    'CZ6508000000192000145399 SK3112000000198742637541 HU42117730161111101800000000 RO49AAAA1B31007593840000 ' +
    'GR1601101250000000012300695 BG80BNBG96611020345678 HR1210010051863000160 SI56263300012039086 EE382200221020145685 ' +
    'LV80BANK0000435195001 LT121000011101001000 MT84MALT011000012345MTLCAST001S CY17002001280000001200527600 ' +
    'IS140159260076545510730326 TR330006100519786457841326 SA0380000000608010167519 AE070331234567890123456'
  ).split(' '),
);
const PUBLIC_ACCOUNT =
  /\b(donat\w*|spende\w*|our (bank )?(account|details)|pay(able)? to|bank details|bankverbindung|beneficiary|transfer (the amount|your|to our)|imprint|impressum|association|charity|foundation|e\.\s?V\.|gmbh|ltd|inc|limited|llc|company|club)\b/i;

/** Detects bank accounts of persons. Accounts of businesses and charities are public on purpose. */
export const ibans: Detector = (surroundings) =>
  [...surroundings.text.matchAll(IBAN)].flatMap((match) => {
    const bare = match[0].replace(/[ -]/g, '');
    const length = countrySpecs[bare.slice(0, 2)]?.chars ?? Number.POSITIVE_INFINITY;
    if (!isValidIBAN(bare.slice(0, length)) || PUBLISHED.has(bare.slice(0, length))) return [];
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
