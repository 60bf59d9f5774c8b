import { expect, test } from 'vitest';
import { ApiError } from '../../lib/errors.ts';
import { parseXml, type XmlNode } from './parse-xml.ts';

const node = (
  name: string,
  attributes: Record<string, string>,
  ...children: (XmlNode | string)[]
): XmlNode => ({
  name,
  attributes: new Map(Object.entries(attributes)),
  children,
});

function faultOf(source: string): string {
  try {
    parseXml(source);
  } catch (error) {
    expect(error).toBeInstanceOf(ApiError);
    return (error as ApiError).message.replace(/^Data must be well-formed XML: /, '');
  }
  throw new Error(`It was accepted: ${source}`);
}

test('elements, attributes, white space, references, comments and CDATA are read', () => {
  expect(
    parseXml(
      `\ufeff a&lt;b <p id = 'x"y'\n\tb="&quot;&#x1F600;&#128512; &gt;"><br/> <i>&amp;amp;</i ></p>\r\n` +
        '<!-- <b> & -->one<![CDATA[<b>&amp;]]>two<e/>',
    ),
  ).toEqual([
    ' a<b ',
    node('p', { id: 'x"y', b: '"😀😀 >' }, node('br', {}), ' ', node('i', {}, '&amp;')),
    '\none<b>&amp;two',
    node('e', {}),
  ]);
  expect(parseXml('')).toEqual([]);
});

test('all names of XML are allowed, even if they are named like object methods', () => {
  expect(parseXml('<constructor __proto__="a"/><a:b-c.d_1/><élan/>')).toEqual(
    [node('constructor', {}), node('a:b-c.d_1', {}), node('élan', {})].map((each, at) =>
      at === 0 ? { ...each, attributes: new Map([['__proto__', 'a']]) } : each,
    ),
  );
});

test('XML that is not well-formed is reported with the position of the fault', () => {
  expect(faultOf('<p>a')).toBe('"p" is not closed (line 1, column 1).');
  expect(faultOf('<p>\n <b>x</p>')).toBe('"b" must be closed before "p" (line 2, column 6).');
  expect(faultOf('a</p>')).toBe('"p" was not opened (line 1, column 2).');
  expect(faultOf('<p>text</p/>')).toBe('this closing tag is not closed (line 1, column 8).');
  expect(faultOf('<p>a < b</p>')).toBe('"<" that begins no tag is written "&lt;" (line 1, column 6).');
  expect(faultOf('a\r\nb & c')).toBe('an "&" that stands for itself is written "&amp;" (line 2, column 3).');
  expect(faultOf('&nbsp;')).toBe('an "&" that stands for itself is written "&amp;" (line 1, column 1).');
  expect(faultOf('x&#0;')).toBe('&#0; is no character (line 1, column 2).');
  expect(faultOf('&#xD800;')).toBe('&#xD800; is no character (line 1, column 1).');
  expect(faultOf('&#x110000;')).toBe('&#x110000; is no character (line 1, column 1).');
  expect(faultOf('<p a>')).toBe('the attribute "a" has no value (line 1, column 5).');
  expect(faultOf('<p a=b>')).toBe('the value of "a" must be in quotes (line 1, column 6).');
  expect(faultOf('<p a="b>')).toBe('the value of "a" is not closed (line 1, column 7).');
  expect(faultOf('<p a="<">')).toBe('"<" in a value is written "&lt;" (line 1, column 7).');
  expect(faultOf('<p a="&"/>')).toBe('an "&" that stands for itself is written "&amp;" (line 1, column 7).');
  expect(faultOf('<p a="1" a="2"/>')).toBe('the attribute "a" is there twice (line 1, column 10).');
  expect(faultOf('<p a="1"b="2"/>')).toBe('there must be a space before "b" (line 1, column 9).');
  expect(faultOf('<p / >')).toBe('the tag "p" is not closed (line 1, column 4).');
  expect(faultOf('<p')).toBe('the tag "p" is not closed (line 1, column 3).');
  expect(faultOf('<!-- a')).toBe('this comment is not closed (line 1, column 5).');
  expect(faultOf('<![CDATA[ a')).toBe('this CDATA section is not closed (line 1, column 10).');
});

test('declarations are refused at any position', () => {
  const refused = 'document types and processing instructions are not taken';
  for (const source of [
    '<?xml version="1.0"?><p/>',
    '<!DOCTYPE p [<!ENTITY a "b">]><p>&a;</p>',
    '<p><!foo>a</p>',
    '<p><![INCLUDE[a]]></p>',
    '<p a="--"/><!DOCTYPE p><!-- -->',
  ]) {
    expect(faultOf(source)).toContain(refused);
  }
});

test('invalid text of any kind is refused without hanging', () => {
  const long = 200_000;
  for (const source of [
    '<p>'.repeat(long),
    `<p ${'a '.repeat(long)}`,
    `<p ${' '.repeat(long)}`,
    `<p a="${'&'.repeat(long)}"/>`,
    `${'<!--'.repeat(long)}`,
    `<${'a'.repeat(long)}`,
    `&${'a'.repeat(long)}`,
    '</p>'.repeat(long),
  ]) {
    faultOf(source);
  }
});
