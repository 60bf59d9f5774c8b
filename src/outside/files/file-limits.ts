/** Size of the uploaded file. */
export const MAX_FILE_BYTES = 5 * 1024 * 1024;

/** Characters of all text read from a file. */
export const MAX_CHARS = 4_000_000;

export const MAX_PDF_PAGES = 300;

export const MAX_ROWS = 10_000;
export const MAX_COLUMNS = 200;
/** Cells with content in a whole workbook. */
export const MAX_CELLS = 300_000;
/** Limit of spreadsheet programs. */
export const MAX_CELL_CHARS = 32_767;

export const MAX_ZIP_ENTRIES = 1_000;
/** Zip bombs: bytes of all entries together, counted while they are inflated. */
export const MAX_INFLATED_BYTES = 50 * 1024 * 1024;
/** Zip bombs: highest ratio of inflated to compressed size, for entries above the floor. */
export const MAX_INFLATION_RATIO = 100;
export const INFLATION_FLOOR_BYTES = 1024 * 1024;
