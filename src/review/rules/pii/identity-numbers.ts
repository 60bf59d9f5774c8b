import type { Severity } from '../../../shapes/agents/execution.ts';
import {
  isDocumentNumber,
  isDutchBsn,
  isFrenchInsuranceNumber,
  isGermanInsuranceNumber,
  isGermanTaxId,
  isItalianTaxCode,
  isLuhn,
  isNhsNumber,
  isSpanishId,
} from './check-digits.ts';
import { type Detector, EXAMPLE, IDENTIFIER, THING_NUMBER } from './detector.ts';
import type { PiiKind } from './pii-rules.ts';

interface NumberKind {
  kind: PiiKind;
  noun: string;
  pattern: RegExp;
  /** Words before the number that name its kind. */
  cue: RegExp;
  /** True if the number counts without such words as well. */
  known?: true;
  /** Gets the number in capitals, without spaces, dashes and dots. */
  isValid?: (bare: string) => boolean;
  severity?: Severity;
}

const NUMBER_WORD = '(?:\\s*(?:no|nr|number|num|#|id|nummer))?';
const cue = (source: string): RegExp => new RegExp(`(?:\\b|_|["'])(?:${source})`, 'i');

const KINDS: readonly NumberKind[] = [
  {
    kind: 'ssn',
    noun: 'US social security number',
    pattern: /(?<![\w-])(?!000|666|9\d\d)\d{3}([- ])(?!00)\d{2}\1(?!0000)\d{4}(?![\w-])/g,
    cue: cue('ssn|social[ _-]?security'),
    known: true,
  },
  {
    kind: 'ssn',
    noun: 'US social security number',
    pattern: /(?<![\w-])(?!000|666|9\d\d)\d{3}(?!00)\d{2}(?!0000)\d{4}(?![\w-])/g,
    cue: cue('ssn|social[ _-]?security'),
  },
  {
    kind: 'national-insurance',
    noun: 'UK National Insurance number',
    pattern:
      /(?<!\w)(?!BG|GB|NK|KN|TN|NT|ZZ)[A-CEGHJ-PR-TW-Z][A-CEGHJ-NPR-TW-Z] ?\d{2} ?\d{2} ?\d{2} ?[A-D](?!\w)/g,
    cue: cue('nino|national[ _-]?insurance|n\\.?i\\.? (no|number)'),
    known: true,
  },
  {
    kind: 'national-insurance',
    noun: 'UK National Insurance number',
    pattern: /(?<!\w)QQ ?\d{2} ?\d{2} ?\d{2} ?[A-D](?!\w)/g,
    cue: cue('nino|national[ _-]?insurance|n\\.?i\\.? (no|number)'),
  },
  {
    kind: 'nhs-number',
    noun: 'NHS number',
    pattern: /(?<![\w-])\d{3}[ -]?\d{3}[ -]?\d{4}(?![\w-])/g,
    cue: cue('nhs'),
    isValid: isNhsNumber,
  },
  {
    kind: 'tax-id',
    noun: 'German tax identification number',
    pattern: /(?<![\w-])[1-9]\d[ /]?\d{3}[ /]?\d{3}[ /]?\d{3}(?![\w-])/g,
    cue: cue(
      'steuer-?(id|nr|nummer|identifikation)\\w*|tax[ _-]?(payer )?(id|identification|number|no)\\w*|tin|idnr|st\\.?-?nr',
    ),
    isValid: isGermanTaxId,
  },
  {
    kind: 'tax-id',
    noun: 'German tax number',
    pattern: /(?<![\w-/])\d{2,3}[ /]\d{3}[ /]\d{4,5}(?![\w-])/g,
    cue: cue('steuer-?(nr|nummer)\\.?|st\\.?-?nr'),
  },
  {
    kind: 'insurance-number',
    noun: 'German insurance number',
    pattern: /(?<!\w)\d{2} ?\d{6} ?[A-Z] ?\d{3}(?!\w)/g,
    cue: cue('(sozial|renten)?versicherung\\w*|sv-?n(r|ummer)|rvnr|insurance'),
    known: true,
    isValid: isGermanInsuranceNumber,
  },
  {
    kind: 'identity-card',
    noun: 'number of an identity card',
    pattern: /(?<!\w)[A-Z0-9]{9} ?\d(?!\w)/g,
    cue: cue('personalausweis\\w*|ausweis\\w*|identity card|id card|national id'),
    isValid: isDocumentNumber,
  },
  {
    kind: 'identity-card',
    noun: 'number of an identity card',
    pattern: /(?<!\w)(?=[A-Z0-9]*\d)[LMNPRTVWXYCFGHJK][A-Z0-9]{8}(?!\w)/g,
    cue: cue(`personalausweis\\w*|ausweisn\\w*|(identity|id) card${NUMBER_WORD}`),
  },
  {
    kind: 'identity-card',
    noun: 'Spanish identity number',
    pattern: /(?<!\w)(?:\d{8}|[XYZ]-?\d{7})-?[A-Z](?!\w)/g,
    cue: cue('dni|nie|nif'),
    known: true,
    isValid: isSpanishId,
  },
  {
    kind: 'insurance-number',
    noun: 'French social security number',
    pattern: /(?<!\w)[12] ?\d{2} ?\d{2} ?(?:\d{2}|2[AB]) ?\d{3} ?\d{3} ?\d{2}(?!\w)/g,
    cue: cue('nir|sécurité sociale|insee|numéro de sécu\\w*|social security'),
    known: true,
    isValid: isFrenchInsuranceNumber,
  },
  {
    kind: 'tax-id',
    noun: 'Italian tax code',
    pattern: /(?<!\w)[A-Z]{6}\d{2}[A-EHLMPRST]\d{2}[A-Z]\d{3}[A-Z](?!\w)/g,
    cue: cue('codice fiscale|cf'),
    known: true,
    isValid: isItalianTaxCode,
  },
  {
    kind: 'identity-number',
    noun: 'Dutch citizen service number',
    pattern: /(?<![\w-])\d{9}(?![\w-])|(?<![\w-])\d{4}[. ]\d{2}[. ]\d{3}(?![\w-])/g,
    cue: cue('bsn|burgerservicenummer|sofinummer'),
    isValid: isDutchBsn,
  },
  {
    kind: 'identity-number',
    noun: 'Canadian social insurance number',
    pattern: /(?<![\w-])\d{3}[ -]?\d{3}[ -]?\d{3}(?![\w-])/g,
    cue: /\bSIN\b|\bsocial insurance/,
    isValid: isLuhn,
  },
  {
    kind: 'tax-id',
    noun: 'personal tax number',
    pattern: /(?<![\w-])(?:9\d{2}-[5-9]\d-\d{4}|\d{3} ?\d{3} ?\d{2,3}|\d{10}|[A-Z]{5}\d{4}[A-Z])(?![\w-])/g,
    cue: /\b(ITIN|TFN|tax file number|UTR|unique taxpayer reference|PAN (card|number|no))\b/i,
  },
  {
    kind: 'identity-number',
    noun: 'national identity number',
    pattern: /(?<![\w-])(?:\d{4}[ -]?\d{4}[ -]?\d{4}|\d{11}|\d{6,8}[-+]\d{4})(?![\w-])/g,
    cue: cue(
      'aadhaar|aadhar|pesel|personnummer|fødselsnummer|cpr|national id(entity)?( number)?|citizen id|ahv',
    ),
  },
  {
    kind: 'passport',
    noun: 'passport number',
    pattern: /(?<!\w)(?=[A-Z0-9]*\d[A-Z0-9]*\d)[A-Z0-9]{6,10}(?!\w)/gi,
    cue: cue(`passport${NUMBER_WORD}|reisepass\\w*|pass(nummer|nr)|passeport|pasaporte`),
  },
  {
    kind: 'driving-licence',
    noun: 'number of a driving licence',
    pattern: /(?<![\w-])(?=[A-Z0-9-]*\d{3})[A-Z0-9][A-Z0-9-]{5,17}[A-Z0-9](?![\w-])/gi,
    cue: cue(
      `driv(?:er'?s?|ing)[ _-]?licen[cs]e${NUMBER_WORD}|führerschein\\w*|dl (no|number|#)|licen[cs]e (no|number)`,
    ),
  },
  {
    kind: 'licence-plate',
    noun: 'licence plate',
    pattern:
      /(?<![\w-])(?:[A-ZÄÖÜ]{1,3}[- ][A-Z]{1,2} ?\d{1,4}[EH]?|[A-Z]{2}\d{2} ?[A-Z]{3}|\d[A-Z]{3}\d{3}|[A-Z]{2,3}[- ]?\d{3,4}|[A-Z]{2}-\d{3}-[A-Z]{2}|\d{1,4}[- ][A-Z]{2,3}[- ]?\d{0,2})(?![\w-])/g,
    cue: cue(
      'licen[cs]e plate|number ?plates?|plate|kennzeichen|registration (?:plate|mark)|vehicle reg(?:istration)?|car reg(?:istration)?|\\bvrm\\b|immatriculation|matrícula|registered as|reg\\.? (?:no|number)',
    ),
    severity: 'high',
  },
  {
    kind: 'bank-account',
    noun: 'bank account number',
    pattern: /(?<![\w-])\d{2}-\d{2}-\d{2}(?![\w-])[^\n]{0,40}?(?<![\w-])\d{8}(?![\w-])/g,
    cue: cue('sort[ _-]?code'),
  },
  {
    kind: 'bank-account',
    noun: 'bank account number',
    pattern: /(?<![\w-])\d{7,14}(?![\w-])/g,
    cue: cue(
      `(?:bank|checking|savings|routing)[ _-]?(?:account)?${NUMBER_WORD}|account (?:no|nr|number|#)|acct\\.?${NUMBER_WORD}|kontonummer`,
    ),
  },
  {
    kind: 'medical-record',
    noun: 'number of a medical record',
    pattern: /(?<![\w-])(?=[A-Z0-9-]*\d{3})[A-Z0-9][A-Z0-9-]{3,14}(?![\w-])/gi,
    cue: cue(
      `mrn|medical[ _-]?record${NUMBER_WORD}|patient[ _-]?(?:id|no|number)|health (?:insurance|card)${NUMBER_WORD}|medicare${NUMBER_WORD}|insurance (?:id|policy) (?:no|number)|krankenversicherten\\w*|versichertennummer`,
    ),
  },
];

/** Numbers that offices publish as examples, and those of advertisements. */
const PUBLISHED =
  /^(?:123456789|078051120|219099999|987654321|111111111|AB123456C|QQ123456[A-D]|12345678Z|X1234567L|RSSMRA\w{10}|9434765919|4010232137|943476\d{4})$/;

/** Text between the words that name a number and the number itself. */
const LINK =
  /^[\s"':=#>.\-–]*(?:(?:is|was|of|ist|lautet|no|nr|num|number|nummer|id|card|holder|expires?)\b[\s.:"'#=]*)*(?:[a-z]+ )?(?:[\w'’]+[:=]? ){0,1}$/i;
/** Words before numbers of businesses that look alike. */
const BUSINESS =
  /\b(company|business|vat|ust|ein|employer identification|commercial|our (bank )?account|donat\w*|spende\w*|imprint|impressum|gmbh|ltd|inc|llc)\b/i;

/** Detects numbers that states, insurers and banks assign to persons. */
export const identityNumbers: Detector = (surroundings) => {
  const { text, isCode, isOrganization } = surroundings;
  if (isOrganization || !/\d{2}/.test(text)) return [];
  return KINDS.flatMap((one) =>
    [...text.matchAll(one.pattern)].flatMap((match) => {
      const bare = match[0].replace(/[ ./-]/g, '').toUpperCase();
      if (PUBLISHED.test(bare)) return [];
      const before = surroundings.before(match.index, 70);
      if (surroundings.isTaught && one.kind === 'licence-plate' && !/[- ]/.test(match[0])) return [];
      const isSaid = isNamed(before, one.cue) || surroundings.heads.some((head) => one.cue.test(head));
      if (
        !isSaid &&
        (!one.known ||
          isCode ||
          surroundings.isTaught ||
          THING_NUMBER.test(before) ||
          IDENTIFIER.test(before))
      )
        return [];
      if (!isSaid && one.kind === 'ssn' && (!surroundings.isShown || / /.test(match[0]))) return [];
      // Kinds without check digits count only by their name or form.
      if (one.isValid && !one.isValid(bare)) return [];
      const around = surroundings.around(match.index);
      // What precedes the passage says nothing about a number that the passage itself names.
      const own = text.slice(Math.max(0, match.index - 70), match.index);
      if (EXAMPLE.test(around) || BUSINESS.test(isNamed(own, one.cue) ? own : before)) return [];
      const { kind, noun, severity = 'critical' } = one;
      const to = match.index + match[0].length;
      return [{ kind, noun, from: match.index, to, severity, confidence: isSaid ? 90 : 75 }];
    }),
  );
};

function isNamed(before: string, cue: RegExp): boolean {
  const global = new RegExp(cue.source, `${cue.flags.replace('g', '')}g`);
  const last = [...before.matchAll(global)].at(-1);
  return last !== undefined && LINK.test(before.slice(last.index + last[0].length).replace(/^\w{0,12}/, ''));
}
