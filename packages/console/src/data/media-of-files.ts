/** The media types of files with checklists or knowledge, by the end of their names. */
export const MEDIA_TYPES: Record<string, string> = {
  pdf: 'application/pdf',
  csv: 'text/csv',
  txt: 'text/plain',
  md: 'text/markdown',
  markdown: 'text/markdown',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
};

/** The media type that belongs to the end of a file's name, if it is known. */
export const mediaTypeOfName = (name: string): string | undefined =>
  MEDIA_TYPES[name.split('.').at(-1)?.toLowerCase() ?? ''];
