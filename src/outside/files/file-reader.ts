/** Content of a file, as far as it could be read. */
export interface FileContent {
  /** Rows of cells: all sheets of a workbook, or the only one of a CSV file. */
  sheets?: { name: string; rows: string[][] }[];
  /** Text of any other file; pages of a PDF are separated by a form feed. */
  text?: string;
  /** Sentences about omitted parts. */
  notes: string[];
}

/** The file cannot be used; the message is for the caller. */
export class FileFailure extends Error {
  override name = 'FileFailure';
  readonly kind: 'unsupported' | 'mismatch' | 'unreadable' | 'too-large' | 'timeout' | 'aborted';

  constructor(kind: FileFailure['kind'], message: string, options: { cause?: unknown } = {}) {
    super(message, options);
    this.kind = kind;
  }
}

/**
 * Reads PDF, XLSX, CSV, text and Markdown in a sandboxed process. Files may have 5 MiB by default. Throws
 * `FileFailure`.
 */
export type ReadFile = (
  file: { bytes: Uint8Array; mimeType: string },
  options?: { signal?: AbortSignal; maxBytes?: number },
) => Promise<FileContent>;
