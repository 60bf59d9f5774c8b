import { getDocumentProxy } from 'unpdf';
import { MAX_CHARS, MAX_PDF_PAGES } from './file-limits.ts';
import { type FileContent, FileFailure } from './file-reader.ts';

type Document = Awaited<ReturnType<typeof getDocumentProxy>>;

/** Extracts the text of a PDF page by page. Scripts are not run, and nothing is fetched. */
export async function readPdf(bytes: Uint8Array): Promise<FileContent> {
  const document = await open(bytes);
  const pages: string[] = [];
  const unreadable: number[] = [];
  const notes: string[] = [];
  const count = Math.min(document.numPages, MAX_PDF_PAGES);
  let chars = 0;
  for (let number = 1; number <= count && chars <= MAX_CHARS; number++) {
    try {
      const text = await textOfPage(document, number);
      chars += text.length;
      pages.push(text);
    } catch {
      unreadable.push(number);
      pages.push('');
    }
  }
  if (unreadable.length === count) {
    throw new FileFailure('unreadable', 'No page of the PDF can be read. It may be damaged or cut off.');
  }
  if (document.numPages > count) notes.push(`Only the first ${MAX_PDF_PAGES} pages were read.`);
  if (unreadable.length > 0) notes.push(`Pages that could not be read: ${unreadable.join(', ')}.`);
  if (pages.every((page) => page.trim() === '')) {
    notes.push('The PDF contains no text. Pages that are pictures are not read.');
  }
  return { text: pages.join('\f').replaceAll('\0', ''), notes };
}

async function open(bytes: Uint8Array): Promise<Document> {
  try {
    return await getDocumentProxy(new Uint8Array(bytes), {
      verbosity: 0,
      disableFontFace: true,
      useSystemFonts: false,
      enableXfa: false,
      maxImageSize: 1,
    });
  } catch (cause) {
    const isLocked = cause instanceof Error && cause.name === 'PasswordException';
    const message = isLocked
      ? 'The PDF is protected by a password.'
      : 'The PDF cannot be read. It may be damaged or cut off.';
    throw new FileFailure('unreadable', message, { cause });
  }
}

async function textOfPage(document: Document, number: number): Promise<string> {
  const page = await document.getPage(number);
  const { items } = await page.getTextContent();
  const text = items.map((item) => ('str' in item ? `${item.str}${item.hasEOL ? '\n' : ''}` : '')).join('');
  page.cleanup();
  return text;
}
