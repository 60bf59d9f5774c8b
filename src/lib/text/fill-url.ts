import type { Fields } from '../json.ts';
import { fillTemplate } from './template.ts';

/**
 * Thrown if a value is not allowed at its place in a template. The message contains the name of the value, never the
 * value.
 */
export class UnfitValue extends Error {
  override name = 'UnfitValue';
}

/** The part of a URL that contains a placeholder, which determines the allowed values. */
type Place = 'start' | 'scheme' | 'authority' | 'path' | 'query' | 'fragment';

const DOT_SEGMENT = /^(?:\.|%2e){1,2}$/i;

/**
 * Fills `{{name}}` in the template of an http(s) URL so that a value cannot leave its part: in path, query and fragment
 * it is encoded and cannot traverse upwards; in the host it can be a name or a port. A value at the beginning is a base
 * URL, up to its path. Throws `UnfitValue`, also for a missing value.
 */
export function fillUrl(template: string, values: Fields): string {
  let url = '';
  for (const [index, piece] of template.split(/(\{\{[^{}]*\}\})/).entries()) {
    const isLiteral = index % 2 === 0;
    url += isLiteral ? piece : filled(piece, values, placeAfter(url), template);
  }
  const parsed = URL.parse(url);
  if (!parsed || (parsed.protocol !== 'http:' && parsed.protocol !== 'https:')) {
    throw new UnfitValue('The address is no http or https URL once its values are filled in.');
  }
  return parsed.href;
}

function placeAfter(url: string): Place {
  if (url === '') return 'start';
  // As URL parsers do: extra slashes before the host, and tabs and line breaks anywhere, are ignored.
  const plain = url.replace(/[\t\r\n]/g, '');
  const authority = /^[a-z]+:\/\/[/\\]*/i.exec(plain);
  if (!authority) return 'scheme';
  const rest = plain.slice(authority[0].length);
  if (rest.includes('#')) return 'fragment';
  if (rest.includes('?')) return 'query';
  return /[/\\]/.test(rest) ? 'path' : 'authority';
}

function filled(token: string, values: Fields, place: Place, template: string): string {
  const { text, missing } = fillTemplate(token, values);
  const name = token.slice(2, -2).trim();
  if (missing.length > 0) throw new UnfitValue(`There is no value for {{${name}}}.`);
  const refuse = (why: string): never => {
    throw new UnfitValue(`The value of {{${name}}} ${why}.`);
  };
  switch (place) {
    case 'start':
      if (template.startsWith(`${token}://`)) {
        return /^https?$/i.test(text) ? text : refuse('is neither http nor https');
      }
      return isAddress(text) ? text : refuse('is no http or https address without a name and a password');
    case 'scheme':
      return refuse('stands where no value can stand');
    case 'authority':
      if (template.startsWith(`${token}@`, template.indexOf(token))) {
        return refuse('would be a name or a password in an address');
      }
      return /^[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?(?::\d{1,5})?$/i.test(text)
        ? text
        : refuse('is no part of a host');
    case 'path': {
      const decoded = text.replace(/%(?:25)*(2e|2f|5c)/gi, (_, code) =>
        String.fromCharCode(Number.parseInt(code, 16)),
      );
      if (decoded.split(/[/\\]/).some((segment) => DOT_SEGMENT.test(segment))) {
        return refuse('would lead to another path');
      }
      // A dot next to a value that is a dot or empty would become a `..` segment.
      if (text === '' || /^\.+$/.test(text)) return refuse('cannot stand in a path');
      return encodeURIComponent(text.toWellFormed());
    }
    default:
      return encodeURIComponent(text.toWellFormed());
  }
}

const isAddress = (text: string): boolean => {
  const url = URL.parse(text);
  return (
    url !== null &&
    (url.protocol === 'http:' || url.protocol === 'https:') &&
    url.username === '' &&
    url.password === '' &&
    !/[\s\\]/.test(text)
  );
};
