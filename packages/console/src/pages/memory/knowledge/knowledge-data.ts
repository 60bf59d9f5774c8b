import type { Operations } from '@redpen/client';
import { MEMORY } from '../memory-data.ts';

export type KnowledgeSource = Operations['/v2/memory/knowledge/list']['item'];

export const KNOWLEDGE = [...MEMORY, 'knowledge'] as const;

const MEDIA_TYPES: Record<string, string> = {
  pdf: 'application/pdf',
  csv: 'text/csv',
  txt: 'text/plain',
  md: 'text/markdown',
  markdown: 'text/markdown',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
};

export const FILE_TYPES: readonly string[] = [
  ...new Set([...Object.values(MEDIA_TYPES), ...Object.keys(MEDIA_TYPES).map((end) => `.${end}`)]),
];

/** The media type of a file: browsers know none for Markdown, and another for CSV where Excel is installed. */
export const mediaTypeOf = ({ name, type }: { name: string; type: string }): string =>
  MEDIA_TYPES[name.split('.').at(-1)?.toLowerCase() ?? ''] ?? type;
