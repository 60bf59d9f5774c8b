/** What a file holds, as far as it could be read. */
export interface FileContent {
  /** Rows of cells, for tables; every sheet of a workbook. */
  sheets?: { name: string; rows: string[][] }[];
  /** Plain text otherwise; pages of a PDF are separated by a form feed. */
  text?: string;
  /** What was left out, as sentences. */
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
 * Reads PDF, XLSX, CSV, text and Markdown in a process of its own, within its limits, of which that of the file
 * itself is 5 MiB by default. Throws `FileFailure`.
 */
export type ReadFile = (
  file: { bytes: Uint8Array; mimeType: string },
  options?: { signal?: AbortSignal; maxBytes?: number },
) => Promise<FileContent>;
