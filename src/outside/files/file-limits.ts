/** Of the file as it was sent. */
export const MAX_FILE_BYTES = 5 * 1024 * 1024;

/** Of what is handed on of a file, all of its text together. */
export const MAX_CHARS = 4_000_000;

export const MAX_PDF_PAGES = 300;

export const MAX_ROWS = 10_000;
export const MAX_COLUMNS = 200;
/** Of a whole workbook, counting those that hold something. */
export const MAX_CELLS = 300_000;
/** What a spreadsheet program lets a cell hold. */
export const MAX_CELL_CHARS = 32_767;

export const MAX_ZIP_ENTRIES = 1_000;
/** Of all entries together, counted while they are inflated. */
export const MAX_INFLATED_BYTES = 50 * 1024 * 1024;
/** How much larger an entry may become, once it is larger than the floor. */
export const MAX_INFLATION = 100;
export const INFLATION_FLOOR_BYTES = 1024 * 1024;
