import { visibleText } from './plain-text.ts';

const ENTITIES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  // Parsers turn white space in attributes into spaces unless it is escaped.
  '\n': '&#10;',
  '\t': '&#9;',
};

/** Text of an element. Characters that XML 1.0 forbids even as an escape are left out. */
export const xmlText = (text: string): string =>
  visibleText(text).replaceAll(/[&<>]/g, (character) => ENTITIES[character]!);

/** Attributes of a tag with a space before each. Those without a value are left out. */
export const xmlAttributes = (attributes: Readonly<Record<string, string | number | undefined>>): string =>
  Object.entries(attributes)
    .filter(([, value]) => value !== undefined)
    .map(
      ([name, value]) =>
        ` ${name}="${visibleText(String(value)).replaceAll(/[&<>"\n\t]/g, (character) => ENTITIES[character]!)}"`,
    )
    .join('');
