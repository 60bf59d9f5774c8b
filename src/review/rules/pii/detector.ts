import type { Severity } from '../../../shapes/agents/execution.ts';

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
  /** True for structured data about organizations alone. */
  isOrganization: boolean;
}

export interface Hit {
  /** The issue type without `pii-`. */
  kind: string;
  noun: string;
  from: number;
  to: number;
  severity: Severity;
  confidence: number;
}

export type Detector = (surroundings: Surroundings, page: { ownDomains: ReadonlySet<string> }) => Hit[];

/** Words around data that serve as an example and belong to no person. */
export const EXAMPLE =
  /\b(e\.\s?g\.|for example|for instance|for testing|test (cards?|numbers?|data|mode|payments?|accounts?)|sandbox|dummy|sample|placeholder|format(ted)? (is|as|like)?|looks? like this|fictitious|z\. ?B\.|beispiel)/i;

/** Words before numbers of goods and papers, which belong to no person. */
export const THING_NUMBER =
  /\b(order|invoice|sku|isbn|issn|ean|upc|gtin|asin|imei|serial|part|item|article|artikel|product|model|tracking|shipment|parcel|ticket|case|ref(erence)?|version|build|batch|lot|catalog(ue)?|licen[cs]e key|transaction|booking|confirmation|patent|doi|arxiv|registration|company|hrb|vat|ust|ein|rma|bestell\w*|rechnung\w*|po|id)( ?(no|nr|number|num|code|id|key|ref(erence)?))?\.?\s*[:#=]?\s*["'#]?[\w-]{0,8}$/i;
