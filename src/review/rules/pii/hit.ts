import type { Severity } from '../../../shapes/agents/execution.ts';

/** A text in which personal data may stand, with what tells whose they are. */
export interface Surroundings {
  text: string;
  /** What stands right before a place: the words of the text, and what comes before the text itself. */
  before(at: number, length?: number): string;
  /** The whole sentence or value around a place. */
  around(at: number): string;
  /** Labels of a table or list that may head the place. */
  heads: readonly string[];
  /** Whether readers see it. */
  isShown: boolean;
  isCode: boolean;
  /** Of structured data: whether it describes an organization and nobody else. */
  isOrganization: boolean;
}

export interface Hit {
  /** Behind `pii-`. */
  kind: string;
  noun: string;
  from: number;
  to: number;
  severity: Severity;
  confidence: number;
}

export type Detector = (surroundings: Surroundings, page: { ownDomains: ReadonlySet<string> }) => Hit[];

/** Said of what is shown to explain and belongs to nobody. */
export const EXAMPLE =
  /\b(e\.\s?g\.|for example|for instance|for testing|test (cards?|numbers?|data|mode|payments?|accounts?)|sandbox|dummy|sample|placeholder|format(ted)? (is|as|like)?|looks? like this|fictitious|z\. ?B\.|beispiel)/i;

/** Numbers that count goods and papers and belong to nobody. */
export const THING_NUMBER =
  /\b(order|invoice|sku|isbn|issn|ean|upc|gtin|asin|imei|serial|part|item|article|artikel|product|model|tracking|shipment|parcel|ticket|case|ref(erence)?|version|build|batch|lot|catalog(ue)?|licen[cs]e key|transaction|booking|confirmation|patent|doi|arxiv|registration|company|hrb|vat|ust|ein|rma|bestell\w*|rechnung\w*|po|id)( ?(no|nr|number|num|code|id|key|ref(erence)?))?\.?\s*[:#=]?\s*["'#]?[\w-]{0,8}$/i;
