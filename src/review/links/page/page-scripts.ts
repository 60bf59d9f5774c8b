import { createHash } from 'node:crypto';
import type { DefaultTreeAdapterTypes } from 'parse5';
import type { PageScripts } from './page-links.ts';

type Element = DefaultTreeAdapterTypes.Element;
type Attributes = ReadonlyMap<string, string>;

const SCRIPT_TYPES = /^$|^module$|(java|ecma|j)script/;
/** Handlers that run without an action of the reader. */
const OWN_HANDLERS = /^on(load|error|pageshow|animationstart|animationend|transitionend)$/;
/** Elements that scripts fill. A `span` without content is mostly the target of a fragment. */
const CONTAINERS = new Set(
  'div main section article nav header footer aside ul ol dl table tbody'.split(' '),
);
const WRITES = /\bdocument\s*\.\s*write(ln)?\s*\(|<(a|area|form|iframe|img|link)[\s>]/i;
/** Characters of text below which a page with an empty container counts as drawn by its scripts. */
const FEW_CHARS = 300;
const MAX_SCRIPT_CHARS = 200_000;

/** Collects what the scripts of a page are, and what they may work on, from its elements in document order. */
export function createPageScripts() {
  const sources: string[] = [];
  const inline = new Set<string>();
  const hooks = new Set<string>();
  let writes = false;
  let gaps = 0;

  const noteScript = (attributes: Attributes, element: Element) => {
    const type = (attributes.get('type') ?? '').trim().toLowerCase();
    if (!SCRIPT_TYPES.test(type)) return;
    const src = attributes.get('src');
    if (src !== undefined) {
      sources.push(src);
      return;
    }
    const code = textOf(element);
    if (code.trim() === '') return;
    writes ||= WRITES.test(code);
    inline.add(withoutLiterals(code.slice(0, MAX_SCRIPT_CHARS)));
  };

  return {
    /** Notes an HTML element. */
    note(tagName: string, attributes: Attributes, element: Element): void {
      if (tagName === 'script') noteScript(attributes, element);
      // Only a browser attaches a shadow root.
      else if (tagName === 'template') writes ||= attributes.has('shadowrootmode');
      else if (tagName.includes('-')) hooks.add(tagName);
      for (const [name, value] of attributes) {
        if (name.startsWith('data-')) hooks.add(name);
        else if (OWN_HANDLERS.test(name)) inline.add(`${name} ${withoutLiterals(value)}`);
      }
      const isContainer = CONTAINERS.has(tagName) || tagName.includes('-');
      if (!isContainer || !isEmpty(element)) return;
      gaps++;
      hooks.add(withoutNumbers(`${tagName}#${attributes.get('id') ?? ''}.${attributes.get('class') ?? ''}`));
    },

    /** Undefined if the page has no script that runs. `hasRoutes`: it has links to routes of scripts. */
    read(baseUrl: string, textLength: number, hasRoutes: boolean): PageScripts | undefined {
      if (sources.length === 0 && inline.size === 0 && !writes) return undefined;
      const scripts = [...new Set(sources.map((src) => URL.parse(src, baseUrl)?.href ?? src)), ...inline];
      const isDrawn = textLength === 0 || (gaps > 0 && (textLength < FEW_CHARS || hasRoutes));
      const code = hashOf(scripts);
      return {
        code,
        group: hashOf([code, ...hooks]),
        hasGaps: gaps > 0,
        isDrawn,
        writes,
      };
    },
  };
}

const hashOf = (parts: string[]): string =>
  createHash('sha1').update(JSON.stringify(parts.sort())).digest('base64');

const textOf = ({ childNodes }: Element): string =>
  childNodes.map((node) => ('value' in node ? node.value : '')).join('');

const isEmpty = ({ childNodes }: Element): boolean =>
  childNodes.every((node) => !('tagName' in node) && (!('value' in node) || node.value.trim() === ''));

const withoutNumbers = (text: string): string => text.replace(/\d+/g, '0');

/** A script without its texts and numbers, which differ between pages that the same template makes. */
const withoutLiterals = (code: string): string =>
  withoutNumbers(code.replace(/'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"/g, "''")).replace(/\s+/g, ' ');
