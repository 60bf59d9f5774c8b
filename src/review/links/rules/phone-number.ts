import { decoded } from '../../../lib/text/decoded.ts';

/** E.164 has 15; dialed prefixes of carriers and countries may precede a number that is not in the global form. */
const MAX_GLOBAL_DIGITS = 15;
const MAX_LOCAL_DIGITS = 20;
/** Countries whose numbers keep their leading zero after the country code. */
const KEEPS_ZERO = /^\+?(?:00)?(?:39|378|379|225|241|242)/;

/**
 * The fault of a `tel:` address (RFC 3966), as a clause that follows "The telephone link …"; undefined if
 * telephones can dial it. They ignore spaces, slashes and other separators, dial letters by their keys (`1-800-FLOWERS`),
 * wait at commas, and need no `phone-context`.
 */
export function phoneFault(href: string): string | undefined {
  const [number = '', ...parameters] = decoded(href.trim().replace(/^tel:(\/\/)?/i, '')).split(';');
  const text = number.normalize('NFKC').trim();
  if (text === '') return 'names no number';
  const digits = text.replace(/[^\d]/g, '');
  if (digits === '' && !/^[*#]/.test(text)) return `has no digits in “${text}”`;
  if (/\+.*\+|\d.*\+/.test(text)) return `has a plus sign at a wrong place of “${text}”`;
  if (/^\+.*\(0\)/.test(text) && !KEEPS_ZERO.test(text.replace(/[^\d+]/g, '')))
    return `has the (0) of “${text}” between country code and number, which telephones dial too`;
  const unusual = text.replace(/[\d\s+().*#/,\-\u2010-\u2015\u2212pw]/g, '');
  if (unusual !== '' && !isVanity(text)) return `has characters that are no part of a number: “${text}”`;
  const dialed = text.split(/[,pw]/)[0]!.replace(/\D/g, '').length;
  if (dialed > (text.startsWith('+') ? MAX_GLOBAL_DIGITS : MAX_LOCAL_DIGITS))
    return `has more digits than a telephone number can have: “${text}”`;
  if (text.startsWith('+') && /^\+\s*\(?0/.test(text))
    return `has a country code that begins with 0: “${text}”`;
  return parameters.some((one) => !/^[\w.-]+(=.*)?$|^$|^\d+$/.test(one.trim()))
    ? `has parameters that are not valid: “${parameters.join(';')}”`
    : undefined;
}

/** Capital letters after a few digits, as on the keys of telephones. */
const isVanity = (text: string): boolean => /^\+?[\d\s().-]{3,}[A-Z\d\s().-]+$/.test(text);
