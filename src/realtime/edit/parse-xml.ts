import { invalidArgument } from '../../lib/errors.ts';
import { MAX_LEVELS, tooDeep } from './value-tree.ts';
import { XML_NAME } from './xml-form.ts';

/** An element as written, not interpreted yet. */
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
 * Parses XML content, which may have several roots, strictly: throws INVALID_ARGUMENT with the position of an error.
 * White space counts, comments are skipped, and declarations of any kind are refused, because entities can expand
 * without bounds. Available parsers are too lenient (they accept `<p>text</p/>`) for content that replaces a document.
 */
export const parseXml = (source: string): (XmlNode | string)[] => new XmlParser(source).parse();

class XmlParser {
  readonly #text: string;
  readonly #root: XmlNode = { name: '', attributes: new Map(), children: [] };
  /** The open elements, with the root at the bottom. */
  readonly #open: { node: XmlNode; at: number }[] = [{ node: this.#root, at: 0 }];
  #at = 0;

  constructor(source: string) {
    this.#text = source.replace(/^\ufeff/, '').replace(/\r\n?/g, '\n');
  }

  parse(): (XmlNode | string)[] {
    const text = this.#text;
    while (this.#at < text.length) {
      const start = this.#at;
      if (text[start] !== '<') {
        const next = text.indexOf('<', start);
        this.#at = next < 0 ? text.length : next;
        this.#addText(this.#decode(text.slice(start, this.#at), start));
      } else if (text.startsWith('<!--', start)) {
        this.#at += 4;
        this.#takeUntil('-->', 'this comment');
      } else if (text.startsWith('<![CDATA[', start)) {
        this.#at += 9;
        this.#addText(this.#takeUntil(']]>', 'this CDATA section'));
      } else if (text[start + 1] === '!' || text[start + 1] === '?') {
        this.#fail('document types and processing instructions are not taken');
      } else if (text[start + 1] === '/') this.#takeEndTag(start);
      else this.#takeStartTag(start);
    }
    const { node, at } = this.#open.at(-1)!;
    if (this.#open.length > 1) this.#fail(`"${node.name}" is not closed`, at);
    return this.#root.children;
  }

  #fail(what: string, where = this.#at): never {
    const lines = this.#text.slice(0, where).split('\n');
    throw invalidArgument(
      `Data must be well-formed XML: ${what} (line ${lines.length}, column ${(lines.at(-1)?.length ?? 0) + 1}).`,
    );
  }

  /** Takes what a sticky pattern matches here; empty if it does not match. */
  #take(pattern: RegExp): string {
    pattern.lastIndex = this.#at;
    const [found] = pattern.exec(this.#text) ?? [''];
    this.#at += found.length;
    return found;
  }

  /** Takes the text before the next `end`, and skips `end`. */
  #takeUntil(end: string, what: string): string {
    const found = this.#text.indexOf(end, this.#at);
    if (found < 0) return this.#fail(`${what} is not closed`);
    const taken = this.#text.slice(this.#at, found);
    this.#at = found + end.length;
    return taken;
  }

  /** Replaces character references. */
  #decode(raw: string, start: number): string {
    return raw.replace(REFERENCE, (found, digits, hex, name, offset: number) => {
      if (name) return CHARACTERS[name] as string;
      const point = digits ? Number(digits) : hex ? Number.parseInt(hex, 16) : 0;
      if (point > 0 && point <= 0x10ffff && (point < 0xd800 || point > 0xdfff))
        return String.fromCodePoint(point);
      const what =
        found === '&' ? 'an "&" that stands for itself is written "&amp;"' : `${found} is no character`;
      return this.#fail(what, start + offset);
    });
  }

  #addText(added: string): void {
    const { children } = this.#open.at(-1)!.node;
    const last = children.at(-1);
    if (typeof last === 'string') children[children.length - 1] = last + added;
    else if (added) children.push(added);
  }

  #takeStartTag(start: number): void {
    this.#at += 1;
    const name = this.#take(NAME);
    if (!name) this.#fail('"<" that begins no tag is written "&lt;"', start);
    const node: XmlNode = { name, attributes: new Map(), children: [] };
    this.#takeAttributes(node);
    const isEmpty = this.#text.startsWith('/>', this.#at);
    if (!isEmpty && this.#text[this.#at] !== '>') this.#fail(`the tag "${name}" is not closed`);
    this.#at += isEmpty ? 2 : 1;
    this.#open.at(-1)!.node.children.push(node);
    if (isEmpty) return;
    this.#open.push({ node, at: start });
    // Formatting may add levels to those of elements, within bounds.
    if (this.#open.length > 2 * MAX_LEVELS) throw tooDeep('Data');
  }

  #takeAttributes(node: XmlNode): void {
    for (;;) {
      const space = this.#take(SPACE);
      const start = this.#at;
      const name = this.#take(NAME);
      if (!name) return;
      if (!space) this.#fail(`there must be a space before "${name}"`, start);
      if (node.attributes.has(name)) this.#fail(`the attribute "${name}" is there twice`, start);
      this.#take(SPACE);
      if (this.#text[this.#at] !== '=') this.#fail(`the attribute "${name}" has no value`);
      this.#at += 1;
      this.#take(SPACE);
      const quote = this.#take(/["']/y) || this.#fail(`the value of "${name}" must be in quotes`);
      const valueStart = this.#at;
      const value = this.#takeUntil(quote, `the value of "${name}"`);
      if (value.includes('<'))
        this.#fail('"<" in a value is written "&lt;"', valueStart + value.indexOf('<'));
      node.attributes.set(name, this.#decode(value, valueStart));
    }
  }

  #takeEndTag(start: number): void {
    this.#at += 2;
    const name = this.#take(NAME);
    this.#take(SPACE);
    if (this.#text[this.#at] !== '>') this.#fail('this closing tag is not closed', start);
    const { node } = this.#open.at(-1)!;
    if (this.#open.length === 1) this.#fail(`"${name}" was not opened`, start);
    if (node.name !== name) this.#fail(`"${node.name}" must be closed before "${name}"`, start);
    this.#at += 1;
    this.#open.pop();
  }
}
