import type { Severity } from '../../../shapes/agents/execution.ts';
import type { PiiKind } from './pii-rules.ts';

/** A text that may contain personal data, with the context that shows to whom the data belongs. */
export interface Surroundings {
  text: string;
  /** The text right before an offset, including what precedes the text itself. */
  before(at: number, length?: number): string;
  /** The whole sentence or value around an offset. */
  around(at: number): string;
  /** Headings of a table or list that may apply to the text. */
  heads: readonly string[];
  /** True if readers see the text. */
  isShown: boolean;
  isCode: boolean;
  /** True if the page teaches about software, whose authors and lists it names on purpose. */
  isTaught: boolean;
  /** True for structured data about organizations alone. */
  isOrganization: boolean;
}

export interface Hit {
  /** The issue type without `pii-`. */
  kind: PiiKind;
  noun: string;
  from: number;
  to: number;
  severity: Severity;
  confidence: number;
}

export interface PageOfDetector {
  ownDomains: ReadonlySet<string>;
  /** Addresses in lower case that the page offers to write to. */
  offered: ReadonlySet<string>;
}

export type Detector = (surroundings: Surroundings, page: PageOfDetector) => Hit[];

/** Words around data that serve as an example and belong to no person. */
export const EXAMPLE =
  /\b(e\.\s?g\.|for example|for instance|for testing|test (cards?|numbers?|data|mode|payments?|accounts?)|sandbox|dummy|sample|placeholder|format(ted)? (is|as|like)?|looks? like this|fictitious|z\. ?B\.|beispiel)/i;

/** Names of identifiers right before a number, which is then no number of a person. */
export const IDENTIFIER =
  /(?:^|[^\p{L}])(?:CVE|CWE|DSA|DLA|GHSA|USN|RHSA|RFC|ISO|IEC|IEEE|DIN|EN|ANSI|ITU|BCP|PEP|ISBN|ISSN|DOI|PMID|ORCID|OID|UUID|GUID|MD5|SHA-?\d*|CRC\d*|ETag|commit|revision|rev|svn|bug|issue|PR|MR|LP|v|ver|version|release|build|kernel|port|pid|uid|gid|inode|epoch|timestamp|lat(?:itude)?|lon(?:g|gitude)?|coordinates|SSN|ITIN|BSN|NHS|PESEL|TIN|IBAN|MRN|HRB|HRA|USt-?Id\w*|VAT|MwSt|SIREN|SIRET|CIF|P\.?\s?IVA|KvK|EIN|DUNS|model|part|item|sku|ean|upc|gtin|asin|order|invoice|tracking|serial|lot|batch)(?:[- ]?(?:no|nr|number|id))?\.?[\s:#=-]*[\w.,:/-]{0,12}$/iu;

/** Words before numbers of goods and papers, which belong to no person. */
export const THING_NUMBER =
  /\b(order|invoice|sku|isbn|issn|ean|upc|gtin|asin|imei|serial|part|item|article|artikel|product|model|tracking|shipment|parcel|ticket|case|ref(erence)?|version|build|batch|lot|catalog(ue)?|licen[cs]e key|transaction|booking|confirmation|patent|doi|arxiv|registration|company|hrb|vat|ust|ein|rma|bestell\w*|rechnung\w*|po|id)( ?(no|nr|number|num|code|id|key|ref(erence)?))?\.?\s*[:#=]?\s*["'#]?[\w-]{0,8}$/i;
