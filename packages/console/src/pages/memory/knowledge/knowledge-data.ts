import type { Operations } from '@redpen/client';
import { MEDIA_TYPES, mediaTypeOfName } from '../../../data/media-of-files.ts';
import { MEMORY } from '../memory-data.ts';

export type KnowledgeSource = Operations['/v2/memory/knowledge/list']['item'];

export const KNOWLEDGE = [...MEMORY, 'knowledge'] as const;

export const FILE_TYPES: readonly string[] = [
  ...new Set([...Object.values(MEDIA_TYPES), ...Object.keys(MEDIA_TYPES).map((end) => `.${end}`)]),
];

/** The media type of a file: browsers know none for Markdown, and another for CSV where Excel is installed. */
export const mediaTypeOf = ({ name, type }: { name: string; type: string }): string =>
  mediaTypeOfName(name) ?? type;
