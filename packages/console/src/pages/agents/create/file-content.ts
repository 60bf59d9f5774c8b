/** The media types of files with checklists or knowledge, by the end of their names. */
export const MEDIA_TYPES: Record<string, string> = {
  pdf: 'application/pdf',
  csv: 'text/csv',
  txt: 'text/plain',
  md: 'text/markdown',
  markdown: 'text/markdown',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
};

/** The media type of a file: browsers know none for Markdown, and another for CSV where Excel is installed. */
export function mediaTypeOf({ name, type }: { name: string; type: string }): string | undefined {
  const byName = MEDIA_TYPES[name.split('.').at(-1)?.toLowerCase() ?? ''];
  return byName ?? (Object.values(MEDIA_TYPES).includes(type) ? type : undefined);
}

const PART = 32_768;

export async function base64Of(content: Blob): Promise<string> {
  const bytes = new Uint8Array(await content.arrayBuffer());
  let binary = '';
  for (let at = 0; at < bytes.length; at += PART)
    binary += String.fromCharCode(...bytes.subarray(at, at + PART));
  return btoa(binary);
}
