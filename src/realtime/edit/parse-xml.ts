import { invalidArgument } from '../../lib/errors.ts';
import { MAX_LEVELS, tooDeep } from './value-tree.ts';
import { XML_NAME } from './xml-form.ts';

/** An element as it was written: nothing is known of it but its letters. */
export interface XmlNode {
  name: string;
  attributes: Map<string, string>;
  children: (XmlNode | string)[];
}

const NAME = new RegExp(XML_NAME, 'uy');
const SPACE = /[ \t\n]*/y;
const REFERENCE = /&(?:#(\d{1,7})|#x([\da-fA-F]{1,6})|(amp|lt|gt|quot|apos));|&/g;
const CHARACTERS: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

/**
 * Reads XML that need not have a single root, strictly: what is not well-formed throws INVALID_ARGUMENT and names
 * the place. White space counts, comments are passed over, declarations of any kind are refused, since they can
 * make much of little. The parsers at hand pass over too much to be trusted with what then replaces a document:
 * `<p>text</p/>` is fine to them.
 */
export function parseXml(source: string): (XmlNode | string)[] {
  const text = source.replace(/^\ufeff/, '').replace(/\r\n?/g, '\n');
  const root: XmlNode = { name: '', attributes: new Map(), children: [] };
  const open: { node: XmlNode; at: number }[] = [{ node: root, at: 0 }];
  let at = 0;

  const fail = (what: string, where = at): never => {
    const lines = text.slice(0, where).split('\n');
    throw invalidArgument(
      `Data must be well-formed XML: ${what} (line ${lines.length}, column ${(lines.at(-1)?.length ?? 0) + 1}).`,
    );
  };

  const take = (pattern: RegExp): string => {
    pattern.lastIndex = at;
    const [found] = pattern.exec(text) ?? [''];
    at += found.length;
    return found;
  };

  /** What comes before the next `end`, which is passed over. */
  const takeUntil = (end: string, what: string): string => {
    const found = text.indexOf(end, at);
    if (found < 0) return fail(`${what} is not closed`);
    const passed = text.slice(at, found);
    at = found + end.length;
    return passed;
  };

  const decode = (raw: string, start: number): string =>
    raw.replace(REFERENCE, (found, digits, hex, name, offset: number) => {
      if (name) return CHARACTERS[name] as string;
      const point = digits ? Number(digits) : hex ? Number.parseInt(hex, 16) : 0;
      if (point > 0 && point <= 0x10ffff && (point < 0xd800 || point > 0xdfff))
        return String.fromCodePoint(point);
      const what =
        found === '&' ? 'an "&" that stands for itself is written "&amp;"' : `${found} is no character`;
      return fail(what, start + offset);
    });

  const addText = (added: string): void => {
    const children = open.at(-1)!.node.children;
    const last = children.at(-1);
    if (typeof last === 'string') children[children.length - 1] = last + added;
    else if (added) children.push(added);
  };

  const takeAttributes = (node: XmlNode): void => {
    for (;;) {
      const space = take(SPACE);
      const start = at;
      const name = take(NAME);
      if (!name) return;
      if (!space) fail(`there must be a space before "${name}"`, start);
      if (node.attributes.has(name)) fail(`the attribute "${name}" is there twice`, start);
      take(SPACE);
      if (text[at] !== '=') fail(`the attribute "${name}" has no value`);
      at += 1;
      take(SPACE);
      const quote = take(/["']/y) || fail(`the value of "${name}" must be in quotes`);
      const valueStart = at;
      const value = takeUntil(quote, `the value of "${name}"`);
      if (value.includes('<')) fail('"<" in a value is written "&lt;"', valueStart + value.indexOf('<'));
      node.attributes.set(name, decode(value, valueStart));
    }
  };

  const takeEnd = (start: number): void => {
    at += 2;
    const name = take(NAME);
    take(SPACE);
    if (text[at] !== '>') fail('this closing tag is not closed', start);
    const { node } = open.at(-1)!;
    if (open.length === 1) fail(`"${name}" was not opened`, start);
    if (node.name !== name) fail(`"${node.name}" must be closed before "${name}"`, start);
    at += 1;
    open.pop();
  };

  const takeStart = (start: number): void => {
    at += 1;
    const name = take(NAME);
    if (!name) fail('"<" that begins no tag is written "&lt;"', start);
    const node: XmlNode = { name, attributes: new Map(), children: [] };
    takeAttributes(node);
    const isEmpty = text.startsWith('/>', at);
    if (!isEmpty && text[at] !== '>') fail(`the tag "${name}" is not closed`);
    at += isEmpty ? 2 : 1;
    open.at(-1)!.node.children.push(node);
    if (isEmpty) return;
    open.push({ node, at: start });
    // Formatting may add to the levels of elements, but not without end.
    if (open.length > 2 * MAX_LEVELS) throw tooDeep('Data');
  };

  while (at < text.length) {
    const start = at;
    if (text[at] !== '<') {
      const next = text.indexOf('<', at);
      at = next < 0 ? text.length : next;
      addText(decode(text.slice(start, at), start));
    } else if (text.startsWith('<!--', at)) {
      at += 4;
      takeUntil('-->', 'this comment');
    } else if (text.startsWith('<![CDATA[', at)) {
      at += 9;
      addText(takeUntil(']]>', 'this CDATA section'));
    } else if (text[at + 1] === '!' || text[at + 1] === '?') {
      fail('document types and processing instructions are not taken');
    } else if (text[at + 1] === '/') takeEnd(start);
    else takeStart(start);
  }
  const { node, at: start } = open.at(-1)!;
  if (open.length > 1) fail(`"${node.name}" is not closed`, start);
  return root.children;
}
