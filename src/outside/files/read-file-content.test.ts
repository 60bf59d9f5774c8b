import { expect, test } from 'vitest';
import { pdf, pdfOf, sheetXml, workbook, zip } from '../../../test/fakes/made-files.ts';
import { FileFailure } from './file-reader.ts';
import type { FileType } from './file-type.ts';
import { readFileContent } from './read-file-content.ts';

const rowsOf = async (text: string | Buffer) =>
  (await readFileContent('csv', Buffer.from(text))).sheets![0]!.rows;

const failureOf = (type: FileType, bytes: Buffer) =>
  readFileContent(type, bytes).then(
    (content) => content as never,
    (error: FileFailure) => {
      expect(error).toBeInstanceOf(FileFailure);
      return `${error.kind}: ${error.message}`;
    },
  );

const sheet = (data: string) => `<worksheet><sheetData>${data}</sheetData></worksheet>`;

test('the delimiter of a table is inferred from its rows or read from its first line', async () => {
  expect(await rowsOf('a,b;c\nd,e')).toEqual([
    ['a', 'b;c'],
    ['d', 'e'],
  ]);
  expect(await rowsOf('a;"b, c"\nd;"e, f"\n')).toEqual([
    ['a', 'b, c'],
    ['d', 'e, f'],
  ]);
  expect(await rowsOf('a\tb, c\nd\te, f')).toEqual([
    ['a', 'b, c'],
    ['d', 'e, f'],
  ]);
  expect(await rowsOf('sep=;\r\na,b;c\r\n')).toEqual([['a,b', 'c']]);
  expect(await rowsOf('alone\n\nagain')).toEqual([['alone'], [''], ['again']]);
});

test('a table may be ragged, have quoted line breaks, be in UTF-16, and have unclosed quotes', async () => {
  expect(await rowsOf('\ufeffa,b\n1\n1,2,3\n"x\ny","say ""so"""')).toEqual([
    ['a', 'b'],
    ['1'],
    ['1', '2', '3'],
    ['x\ny', 'say "so"'],
  ]);
  const utf16 = Buffer.from('\ufeffä,b\nc,d', 'utf16le');
  expect(await rowsOf(utf16)).toEqual([
    ['ä', 'b'],
    ['c', 'd'],
  ]);
  expect(await rowsOf(Buffer.from(utf16).swap16())).toEqual([
    ['ä', 'b'],
    ['c', 'd'],
  ]);
  const open = await readFileContent('csv', Buffer.from('a,"b\nc,d'));
  expect(open.sheets![0]!.rows).toEqual([
    ['a', '"b'],
    ['c', 'd'],
  ]);
  expect(open.notes).toEqual(['The quotes of the file do not close, so they were read as part of the text.']);
});

test('a table with too many rows and columns is cut, with a note', async () => {
  const wide = `${'x,'.repeat(300)}\n${'1,2\n'.repeat(10_050)}`;
  const { sheets, notes } = await readFileContent('csv', Buffer.from(wide));
  expect([sheets![0]!.rows.length, sheets![0]!.rows[0]!.length]).toEqual([10_000, 200]);
  expect(notes).toEqual(['Only the first 10000 rows were read.', 'Only the first 200 columns were read.']);
});

test('invalid text is refused with the reason', async () => {
  for (const type of ['text', 'csv'] as const) {
    expect(await failureOf(type, Buffer.from('a\0b'))).toBe(
      'unreadable: The file contains NUL characters, which no text does.',
    );
    expect(await failureOf(type, Buffer.from([0x61, 0xff, 0x61]))).toContain('not valid UTF-8');
    expect(await failureOf(type, Buffer.from([0xff, 0xfe, 0x00, 0xd8]))).toContain('not valid UTF-16');
  }
  expect(await readFileContent('text', Buffer.from('a\r\nb\rc'))).toEqual({ text: 'a\nb\nc', notes: [] });
});

test('dates, inline strings, formulas, prefixed names and error cells of a workbook are read', async () => {
  const bytes = workbook({
    Dates: sheet(
      '<row r="1"><c r="A1" s="1"><v>45000</v></c><c r="B1" t="inlineStr"><is><t>in &amp; line</t></is></c></row>' +
        '<row r="3"><c r="A3" t="str"><f>A1&amp;B1</f><v>made</v></c><c r="B3" t="str"><f>A1</f></c><c r="C3" t="e"><v>#N/A</v></c></row>',
    ),
    Prefixed:
      '<x:worksheet xmlns:x="m"><x:sheetData><x:row><x:c t="inlineStr"><x:is><x:t>p</x:t></x:is></x:c></x:row></x:sheetData></x:worksheet>',
  });
  const { sheets, notes } = await readFileContent('workbook', bytes);
  expect(sheets![0]!.rows[0]).toEqual(['2023-03-15', 'in & line']);
  expect(sheets![0]!.rows[2]).toEqual(['made', '']);
  expect(sheets![1]!.rows).toEqual([['p']]);
  expect(notes).toEqual([]);
});

test('distant cells, huge dimensions and empty styled cells do not make a workbook large', async () => {
  const far = sheet(
    '<row r="1"><c r="A1"><v>1</v></c><c r="XFD1"><v>2</v></c></row><row r="2"><c r="A2" s="1"/><c r="B2" s="1"></c></row>' +
      '<row r="1048576"><c r="A1048576"><v>3</v></c></row>',
  );
  const { sheets, notes } = await readFileContent(
    'workbook',
    workbook({ Far: `<dimension ref="A1:XFD1048576"/>${far}` }),
  );
  expect(sheets).toEqual([{ name: 'Far', rows: [['1']] }]);
  expect(notes).toEqual([
    'Only the first 10000 rows of a sheet were read.',
    'Only the first 200 columns of a sheet were read.',
  ]);
});

test('a text that many cells share is cut before it is copied', async () => {
  const long = 'x'.repeat(30_000);
  const rows = Array.from(
    { length: 1000 },
    (_, y) => `<row r="${y + 1}"><c r="A${y + 1}" t="s"><v>0</v></c></row>`,
  );
  const bytes = workbook({ First: [[long]], Many: sheet(rows.join('')) });
  const { sheets, notes } = await readFileContent('workbook', bytes);
  expect(sheets![1]!.rows.length).toBe(132);
  expect(notes).toEqual(['Only the first 4000000 characters were read.']);
});

test('archives that are bombs, damaged or not workbooks are refused', async () => {
  const spaces = (mb: number) => Buffer.alloc(mb * 1024 * 1024, ' ');
  const good = workbook({ A: [['x']] });
  expect(await failureOf('workbook', workbook({ A: [['x']] }, { 'xl/bomb.xml': spaces(40) }))).toBe(
    'too-large: The workbook holds data that grows more than 100 times when it is unpacked.',
  );
  // Each file is too small for the limit of its growth.
  const many = Object.fromEntries(Array.from({ length: 60 }, (_, index) => [`xl/${index}.xml`, spaces(1)]));
  expect(await failureOf('workbook', workbook({ A: [['x']] }, many))).toBe(
    'too-large: The workbook contains more than 50 MB when it is unpacked.',
  );
  const entries = Object.fromEntries(Array.from({ length: 1001 }, (_, index) => [`${index}.xml`, '']));
  expect(await failureOf('workbook', zip(entries))).toContain('more than 1000 files');
  expect(await failureOf('workbook', zip({ 'inner.zip': good, 'a.xml': '' }))).toContain('mismatch');
  for (const length of [10, 200, good.length - 30]) {
    expect(await failureOf('workbook', good.subarray(0, length))).toContain('damaged or cut off');
  }
  const damaged = Buffer.from(good);
  damaged.fill(0xff, 60, 120);
  expect(await failureOf('workbook', damaged)).toContain('unreadable');
  expect(await failureOf('workbook', zip({ 'xl/workbook.xml': 'x' }, { flags: 1 }))).toContain('password');
  // A nested archive is not opened.
  const nested = await readFileContent('workbook', workbook({ A: [['x']] }, { 'xl/media/inner.zip': good }));
  expect(nested.sheets).toEqual([{ name: 'A', rows: [['x']] }]);
});

test('a workbook with entities is refused', async () => {
  for (const declared of ['<!ENTITY x SYSTEM "file:///etc/hostname">', '<!ENTITY x "aaaaaaaaaa">']) {
    const xml = `<!DOCTYPE w [${declared}]>${sheet('<row><c t="inlineStr"><is><t>&x;</t></is></c></row>')}`;
    expect(await failureOf('workbook', workbook({ A: xml }))).toContain('declares entities');
  }
});

test('a PDF that is truncated or encrypted is refused, and one without text has a note', async () => {
  const whole = pdf([['one'], ['two']]);
  expect(await failureOf('pdf', Buffer.from('%PDF-1.7\nnothing'))).toContain('unreadable');
  expect(await failureOf('pdf', whole.subarray(0, whole.length - 200))).toContain('cut off');
  expect((await readFileContent('pdf', whole.subarray(0, whole.length - 20))).text).toBe('one\ftwo');
  const pictures = await readFileContent('pdf', pdf([[], []]));
  expect(pictures.notes).toEqual(['The PDF contains no text. Pages that are pictures are not read.']);
  const locked = whole
    .toString('latin1')
    .replace(
      '/Root 1 0 R',
      `/Root 1 0 R/ID[<00><00>]/Encrypt<</Filter/Standard/V 1/R 2/P -1/O<${'ab'.repeat(32)}>/U<${'cd'.repeat(32)}>>>`,
    );
  expect(await failureOf('pdf', Buffer.from(locked, 'latin1'))).toBe(
    'unreadable: The PDF is protected by a password.',
  );
});

test('a PDF with a cycle of pages is refused, and one with too many pages is cut', async () => {
  const looped = pdfOf([
    '<</Type/Catalog/Pages 2 0 R>>',
    '<</Type/Pages/Count 2/Kids[3 0 R 2 0 R]>>',
    '<</Type/Pages/Count 1/Kids[2 0 R]>>',
  ]);
  expect(await failureOf('pdf', looped)).toContain('unreadable');
  const { text, notes } = await readFileContent('pdf', pdf(Array.from({ length: 305 }, () => ['x'])));
  expect(text!.split('\f')).toHaveLength(300);
  expect(notes).toEqual(['Only the first 300 pages were read.']);
});

test('a workbook with too many cells is cut, with a note', async () => {
  const row = Array.from({ length: 200 }, (_, x) => (x * 37) % 9973);
  const xml = sheetXml(
    Array.from({ length: 1_600 }, () => row),
    [],
  );
  const { sheets, notes } = await readFileContent('workbook', workbook({ A: xml }));
  expect(sheets![0]!.rows).toHaveLength(1_500);
  expect(notes).toEqual(['Only the first 300000 cells of the workbook were read.']);
});
