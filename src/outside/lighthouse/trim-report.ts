import type { Fields } from '../../lib/json.ts';
import { cutText } from '../../lib/text/cut-text.ts';
import type { DeviceType } from '../../shapes/agents/run.ts';
import type { LighthouseAudit, LighthouseReport } from './lighthouse-report.ts';

const MAX_ITEMS = 20;
const MAX_TEXT_CHARS = 1000;

/** The part of Lighthouse's result that is read. */
export interface LighthouseResult {
  lighthouseVersion: string;
  requestedUrl?: string;
  finalDisplayedUrl: string;
  runWarnings: unknown[];
  categories: Record<
    string,
    { id: string; score: number | null; auditRefs: { id: string; weight: number; group?: string }[] }
  >;
  audits: Record<string, ResultAudit>;
}

interface ResultAudit extends Omit<LighthouseAudit, 'weights' | 'items'> {
  numericValue?: number;
  details?: unknown;
}

/** Drops pictures, traces and lists of requests, which are of no use to a reader or a model. */
export function trimReport(result: LighthouseResult, formFactor: DeviceType): LighthouseReport {
  const categories = Object.values(result.categories);
  const weights = new Map<string, Record<string, number>>();
  for (const { id: category, auditRefs } of categories) {
    for (const { id, weight, group } of auditRefs) {
      if (group !== 'hidden') weights.set(id, { ...weights.get(id), [category]: weight });
    }
  }
  const audits = Object.values(result.audits).filter(({ id }) => weights.has(id));
  const measured = audits.filter(({ numericValue }) => Number.isFinite(numericValue));
  return {
    finalUrl: result.finalDisplayedUrl,
    formFactor,
    version: result.lighthouseVersion,
    scores: Object.fromEntries(
      categories.map(({ id, score }) => [id, score === null ? null : Math.round(score * 100)]),
    ),
    metrics: Object.fromEntries(measured.map(({ id, numericValue }) => [id, numericValue!])),
    audits: audits.map((audit) => trimAudit(audit, weights.get(audit.id)!)),
    warnings: result.runWarnings.map((warning) => cutText(String(warning), MAX_TEXT_CHARS)),
  };
}

function trimAudit(audit: ResultAudit, weights: Record<string, number>): LighthouseAudit {
  const { id, title, description, score, scoreDisplayMode, displayValue, details } = audit;
  const isWell = score === 1 && scoreDisplayMode !== 'informative';
  return {
    id,
    title: cutText(title, MAX_TEXT_CHARS),
    description: cutText(description, MAX_TEXT_CHARS),
    score,
    scoreDisplayMode,
    ...(displayValue && { displayValue: cutText(displayValue, MAX_TEXT_CHARS) }),
    weights,
    items: isWell ? [] : itemsOf(details).slice(0, MAX_ITEMS),
  };
}

type Item = LighthouseAudit['items'][number];
interface Heading {
  key: string | null;
  valueType?: string;
  label?: unknown;
}

/** Flattens details: a list contains tables and sections, and a checklist its entries by name. */
function itemsOf(details: unknown): Item[] {
  if (!isFields(details)) return [];
  const { type, items, value, headings } = details;
  if (type === 'list-section') return itemsOf(value);
  if (type === 'checklist' && isFields(items)) {
    const open = Object.values(items).filter((item) => isFields(item) && item.value === false);
    return open.flatMap((item) => (isFields(item) ? [{ text: textOf(item.label) }] : []));
  }
  if (type === 'node') return [{ ...place(details) }];
  if (!Array.isArray(items)) return [];
  if (type === 'list') return items.flatMap(itemsOf);
  if (type !== 'table' && type !== 'opportunity') return [];
  const columns = Array.isArray(headings) ? (headings as Heading[]) : [];
  return items
    .filter(isFields)
    .map((row) => itemOf(row, columns))
    .filter((item) => Object.keys(item).length > 0);
}

function itemOf(row: Fields, columns: Heading[]): Item {
  const node = columns
    .map(({ key }) => row[key ?? ''])
    .find((value) => isFields(value) && value.type === 'node');
  const at = columns
    .map(({ key }) => row[key ?? ''])
    .map((value) => (isFields(value) && typeof value.url === 'string' ? value.url : undefined))
    .find((url) => url !== undefined);
  const ownUrl = columns.find(
    ({ key, valueType }) => valueType === 'url' && typeof row[key ?? ''] === 'string',
  );
  const url = ownUrl ? String(row[ownUrl.key ?? '']) : at;
  const words = columns
    .filter((column) => column !== ownUrl)
    .map((column) => cellOf(row[column.key ?? ''], column))
    .filter((text) => text !== '');
  const explained = isFields(node) ? [textOf(node.explanation) || textOf(node.nodeLabel)] : [];
  const text = [...explained, ...words].filter(Boolean).join('; ');
  return {
    ...(isFields(node) && place(node)),
    ...(url && { url: cutText(url, MAX_TEXT_CHARS) }),
    ...(text && { text: cutText(text, MAX_TEXT_CHARS) }),
  };
}

const place = ({ selector, snippet }: Fields): Item => ({
  ...(textOf(selector) && { selector: textOf(selector) }),
  ...(textOf(snippet) && { snippet: textOf(snippet) }),
});

function cellOf(value: unknown, { valueType, label }: Heading): string {
  const name = textOf(label);
  const named = (text: string) => (name && text ? `${name}: ${text}` : text);
  if (typeof value === 'number') {
    if (valueType === 'bytes') return named(`${Math.round(value / 1024)} KiB`);
    if (valueType === 'ms' || valueType === 'timespanMs') return named(`${Math.round(value)} ms`);
    return named(String(Math.round(value * 1000) / 1000));
  }
  return named(textOf(value));
}

/** Text of a table cell of any kind; nodes and source locations have fields of their own. */
function textOf(value: unknown): string {
  if (typeof value === 'string') return cutText(value, MAX_TEXT_CHARS);
  if (typeof value === 'number') return String(value);
  if (!isFields(value) || value.type === 'node' || value.type === 'source-location') return '';
  return textOf(value.value ?? value.text ?? value.formattedDefault);
}

const isFields = (value: unknown): value is Fields => typeof value === 'object' && value !== null;
