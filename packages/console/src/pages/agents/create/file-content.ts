import { MEDIA_TYPES, mediaTypeOfName } from '../../../data/media-of-files.ts';

/** The media type of a file: browsers know none for Markdown, and another for CSV where Excel is installed. */
export function mediaTypeOf({ name, type }: { name: string; type: string }): string | undefined {
  return mediaTypeOfName(name) ?? (Object.values(MEDIA_TYPES).includes(type) ? type : undefined);
}

const PART = 32_768;

export async function base64Of(content: Blob): Promise<string> {
  const bytes = new Uint8Array(await content.arrayBuffer());
  let binary = '';
  for (let at = 0; at < bytes.length; at += PART)
    binary += String.fromCharCode(...bytes.subarray(at, at + PART));
  return btoa(binary);
}
