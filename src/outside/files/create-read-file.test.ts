import { readdirSync, readFileSync } from 'node:fs';
import { deflateSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { pdf, pdfOf, workbook } from '../../../test/fakes/made-files.ts';
import { createReadFile } from './create-read-file.ts';
import { FileFailure } from './file-reader.ts';

const XLSX = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';
const readFile = createReadFile();

const failureOf = (mimeType: string, bytes: Uint8Array, read = readFile, signal?: AbortSignal) =>
  read({ bytes, mimeType }, signal ? { signal } : {}).then(
    (content) => content as never,
    (error: unknown) => {
      if (error instanceof FileFailure) return { kind: error.kind, message: error.message };
      throw error;
    },
  );

/** The command lines of the reader processes of this process, since other tests may read files, too. */
const readers = (): string[] =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => {
      try {
        const [program, ...rest] = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0');
        const isReader =
          program?.endsWith('node') && rest.some((part) => part.endsWith('/reader-process.ts'));
        const parent = /^PPid:\s+(\d+)$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
        return isReader && Number(parent) === process.pid;
      } catch {
        return false;
      }
    });

test('a PDF, a workbook and a table are read in separate processes', async () => {
  const table = Buffer.from('Check;Severity\n"All links; work";high\n=1+1;low\n');
  const [fromPdf, fromWorkbook, fromTable] = await Promise.all([
    readFile({ bytes: pdf([['Home', '- All links work'], ['Second (page)']]), mimeType: 'application/PDF' }),
    readFile({ bytes: workbook({ One: [['Check', 7, true, null, 'x & y']], Two: [] }), mimeType: XLSX }),
    readFile({ bytes: table, mimeType: 'Text/CSV; charset=utf-8' }),
  ]);
  expect(fromPdf).toEqual({ text: 'Home\n- All links work\fSecond (page)', notes: [] });
  expect(fromWorkbook).toEqual({
    sheets: [
      { name: 'One', rows: [['Check', '7', 'true', '', 'x & y']] },
      { name: 'Two', rows: [] },
    ],
    notes: [],
  });
  expect(fromTable.sheets![0]!.rows).toEqual([
    ['Check', 'Severity'],
    ['All links; work', 'high'],
    ['=1+1', 'low'],
  ]);
});

test('a file that does not match its type is refused before a process is started', async () => {
  const pdfBytes = pdf([['x']]);
  const workbookBytes = workbook({ A: [['x']] });
  expect(await failureOf('image/png', pdfBytes)).toMatchObject({ kind: 'unsupported' });
  expect(await failureOf('constructor', pdfBytes)).toMatchObject({ kind: 'unsupported' });
  expect(await failureOf('text/csv', pdfBytes)).toEqual({
    kind: 'mismatch',
    message: 'The file is said to be CSV, but it is a PDF.',
  });
  expect(await failureOf('text/markdown', workbookBytes)).toMatchObject({ kind: 'mismatch' });
  expect(await failureOf('application/pdf', workbookBytes)).toMatchObject({ kind: 'mismatch' });
  expect(await failureOf(XLSX, pdfBytes)).toMatchObject({ kind: 'mismatch' });
  const large = Buffer.alloc(5 * 1024 * 1024 + 1, 'a');
  expect(await failureOf('text/plain', large)).toMatchObject({ kind: 'too-large' });
  expect(readers()).toEqual([]);
});

test('a timeout, too much memory and an abort all end the reader process', async () => {
  const objects = Array.from({ length: 120_000 }, () => '<</Type/Page/Parent 2 0 R>>');
  const kids = objects.map((_, index) => `${index + 3} 0 R`).join(' ');
  const slow = pdfOf([
    '<</Type/Catalog/Pages 2 0 R>>',
    `<</Type/Pages/Count 300/Kids[${kids.slice(0, 300_000)}]>>`,
    ...objects,
  ]);
  const bytes = slow.subarray(0, 5 * 1024 * 1024);
  expect(await failureOf('application/pdf', bytes, createReadFile({ timeoutMs: 100 }))).toMatchObject({
    kind: 'timeout',
  });
  const small = createReadFile({ maxMemoryBytes: 20 * 1024 * 1024 });
  expect(await failureOf('application/pdf', bytes, small)).toMatchObject({ kind: 'too-large' });
  const single = createReadFile({ atOnce: 1, waiting: 1 });
  const stop = new AbortController();
  const both = [1, 2].map(() => failureOf('application/pdf', bytes, single, stop.signal));
  expect(await failureOf('text/plain', Buffer.from('third'), single)).toEqual({
    kind: 'aborted',
    message: 'Too many files are being read at the moment.',
  });
  await expect.poll(readers).toHaveLength(1);
  stop.abort();
  expect(await Promise.all(both)).toMatchObject([{ kind: 'aborted' }, { kind: 'aborted' }]);
  expect(readers()).toEqual([]);
  // The next file is read.
  expect((await single({ bytes: Buffer.from('fine'), mimeType: 'text/plain' })).text).toBe('fine');
});

test('a stream that inflates without end is limited by memory, and ends the reader process', async () => {
  const stream = deflateSync(Buffer.alloc(200 * 1024 * 1024));
  const bomb = pdfOf([
    '<</Type/Catalog/Pages 2 0 R>>',
    '<</Type/Pages/Count 1/Kids[3 0 R]>>',
    '<</Type/Page/Parent 2 0 R/MediaBox[0 0 9 9]/Contents 4 0 R>>',
    `<</Length ${stream.length}/Filter/FlateDecode>>stream\n${stream.toString('latin1')}\nendstream`,
  ]);
  const small = createReadFile({ maxMemoryBytes: 200 * 1024 * 1024 });
  expect(await failureOf('application/pdf', bomb, small)).toMatchObject({ kind: 'too-large' });
  expect(readers()).toEqual([]);
});
