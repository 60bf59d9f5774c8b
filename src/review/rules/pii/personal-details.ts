import { type Detector, EXAMPLE, type Hit } from './detector.ts';

const MONTH =
  '(?:jan(?:uary|uar)?|feb(?:ruary|ruar)?|mar(?:ch)?|märz|apr(?:il)?|may|mai|june?|juni|july?|juli|aug(?:ust)?|sept?(?:ember)?|o[ck]t(?:ober)?|nov(?:ember)?|de[cz](?:ember)?)\\.?';
const YEAR = '(?:19[2-9]\\d|20[0-2]\\d)';
const DATE = `(?:\\d{1,2}[./-]\\d{1,2}[./-](?:${YEAR}|\\d{2})|${YEAR}[./-]\\d{1,2}[./-]\\d{1,2}|\\d{1,2}(?:st|nd|rd|th)?\\.?(?: of)? ${MONTH},? ${YEAR}|${MONTH} \\d{1,2}(?:st|nd|rd|th)?,? ${YEAR})`;
const BIRTH = new RegExp(`(?<![\\w-])${DATE}(?![\\w-])`, 'gi');
const BIRTH_CUE =
  /(?:\b|_)(date[ _-]?of[ _-]?birth|birth[ _-]?dates?|birthdays?|d\.?o\.?b\.?|geburts(?:datum|tag)|geboren am|geb\.|date de naissance|née? le|fecha de nacimiento|data di nascita|geboortedatum|born(?: on)?:?)["']?(?:[\s:=>"'\-–]|\bis\b|\bon\b|\bwas\b|\(\w+\)){0,8}$/i;
const LIFE_STORY = /\bborn(?: on)?:?\s*$/i;
const PERSON_CUE =
  /\b(patient|customer|client|employee|applicant|member|tenant|guest|student|pupil|user|insured|claimant|subscriber|candidate|passenger|resident|borrower|witness|cardholder|policyholder)s?\b/i;

const STREET_SUFFIX =
  '(?:street|st\\.?|road|rd\\.?|avenue|ave\\.?|lane|ln\\.?|drive|dr\\.?|court|ct\\.?|boulevard|blvd\\.?|way|place|pl\\.?|terrace|close|crescent|square|sq\\.?|parkway|pkwy\\.?|circle|cir\\.?|gardens|grove|hill|row|mews|walk|trail|highway|hwy\\.?)';
const ADDRESSES = [
  new RegExp(
    `(?<![\\w-])\\d{1,5}[A-Za-z]?,? (?:[NSEW]\\.? )?(?:\\p{Lu}[\\p{L}'’.-]*\\s){1,4}${STREET_SUFFIX}(?![\\p{L}])(?:,? (?:apt|apartment|unit|flat|suite|#)\\.? ?\\w+)?`,
    'giu',
  ),
  /(?<![\w-])\p{Lu}[\p{L}.-]*(?:\s\p{Lu}[\p{L}.-]*)?(?:straße|strasse|str\.|weg|allee|gasse|platz|ring|ufer|damm)\s\d{1,4} ?[a-z]?(?!\w)/gu,
  /(?<![\w-])(?:rue|avenue|boulevard|calle|via|plaza|avenida|place|chemin)\s(?:\p{L}+\s){1,4}\d{1,4}(?!\w)|(?<![\w-])\d{1,4},? (?:bis )?(?:rue|avenue|boulevard|place|chemin)\s(?:de |du |des |la |le )*\p{Lu}\p{L}+/giu,
];
const HOME_CUE =
  /\b(home[ _-]?address|private[ _-]?address|personal[ _-]?address|residential[ _-]?address|residence|lives? (?:in|at|on)|living at|lived at|resid(?:es|ing|ent) (?:at|in|of)|wohnhaft(?: in)?|wohnt in|privatanschrift|privatadresse|wohnanschrift|anschrift|moved to|(?:her|his|their|my) (?:home|house|flat|apartment|address)(?: is)?(?: at)?|domicile|domiciliad[oa] en|habite(?: au| à)?|next of kin|home)\b[^.!?]{0,30}$/i;
const ADDRESS_KEY =
  /(?:\b|_)(?:street|address|addr|adresse|anschrift|shipping|delivery|billing)[\w-]*["']?\s*(?:[:=>]|of)[\s"']*[^.!?:]{0,30}$/i;
const OFFICE =
  /\b(office|headquarters|head office|visit us|our (?:store|shop|address|studio|showroom)|company|gmbh|ltd|inc|llc|limited|museum|hotel|restaurant|school|registered|branch|venue|store|shop|clinic|imprint|impressum|warehouse|organization|business)\b/i;

const HEALTH =
  /\b(diagnos(?:is|ed)(?: with| of)?:? |suffer(?:s|ing|ed) from |tested positive for |(?:is|was) HIV[- ]positive|prescribed |medical history:? |diagnose:? |allergic to |treated for )(?=[\p{L}-]{4,})[\p{L} -]{3,50}/giu;
const PATIENT = /\b(patient|mrn|dob|insured|mrs?\.|ms\.|his|her|employee|sick leave)\b/i;
const NAME = /\b\p{Lu}\p{Ll}+ (?:\p{Lu}\. )?\p{Lu}\p{Ll}+/u;

/** Detects dates that the page calls dates of birth. */
export const birthDates: Detector = (surroundings) =>
  [...surroundings.text.matchAll(BIRTH)].flatMap((match): Hit[] => {
    const before = surroundings.before(match.index, 50);
    const isHeaded = surroundings.heads.some((head) => BIRTH_CUE.test(`${head}:`));
    if (!BIRTH_CUE.test(before) && !isHeaded) return [];
    const around = surroundings.around(match.index);
    const isLabel = /\bborn(?: on)?:\s*$/i.test(before);
    // Biographies, such as those of artists and founders, begin with a birth.
    if (LIFE_STORY.test(before) && !isLabel && !PERSON_CUE.test(around)) return [];
    if (EXAMPLE.test(around) || surroundings.isCode) return [];
    if (/\b(dd|mm|yyyy|tt|jjjj)[./-]/i.test(around) || /\b(company|launched|founded)\b/i.test(before))
      return [];
    return [hit('birth-date', 'date of birth', match, 'high', 85)];
  });

/** Detects home addresses of persons. */
export const homeAddresses: Detector = (surroundings) => {
  const { text, isShown, isCode, isOrganization } = surroundings;
  if (isOrganization || isCode || text.length > 300_000) return [];
  const found = ADDRESSES.flatMap((pattern) => [...text.matchAll(pattern)]).flatMap((match): Hit[] => {
    const before = surroundings.before(match.index, 80);
    const around = surroundings.around(match.index);
    const isHome =
      HOME_CUE.test(before) ||
      surroundings.heads.some((head) => /\bhome address|residen|private address|wohnanschrift/i.test(head));
    const isPersons =
      (ADDRESS_KEY.test(before) || surroundings.heads.some((head) => /\baddress|anschrift/i.test(head))) &&
      PERSON_CUE.test(`${around} ${surroundings.heads.join(' ')} ${before}`);
    const isHidden = !isShown && ADDRESS_KEY.test(before) && !OFFICE.test(before);
    if (!isHome && !isPersons && !isHidden) return [];
    if ((OFFICE.test(before) && !/\bhome|private|personal|lives?\b/i.test(before)) || EXAMPLE.test(around))
      return [];
    return [hit('address', 'home address', match, 'high', isHome ? 85 : 70)];
  });
  return found.filter(
    (one, index) => !found.some((other, at) => at < index && other.from < one.to && one.from < other.to),
  );
};

/** Detects diagnoses and treatments of named persons. */
export const healthData: Detector = (surroundings) => {
  if (surroundings.isCode || surroundings.isOrganization) return [];
  return [...surroundings.text.matchAll(HEALTH)].flatMap((match): Hit[] => {
    const around = surroundings.around(match.index);
    const before = surroundings.before(match.index, 120);
    const isPersons =
      /\b(patient|mrn|employee|insured)\b/i.test(before) && (NAME.test(around) || /\d{4,}/.test(around));
    if (!isPersons || !PATIENT.test(around) || EXAMPLE.test(around)) return [];
    return [hit('health', 'health data of a person', match, 'critical', 75)];
  });
};

const hit = (
  kind: Hit['kind'],
  noun: string,
  match: RegExpExecArray,
  severity: Hit['severity'],
  confidence: number,
): Hit => ({
  kind,
  noun,
  from: match.index,
  to: match.index + match[0].trimEnd().length,
  severity,
  confidence,
});
