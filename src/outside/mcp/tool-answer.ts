import type { Fields } from '../../lib/json.ts';

const LONG = 5_000_000;

/** What a tool said as words; what is not words is named in their place. */
export function textOfResult(result: { content?: unknown; structuredContent?: unknown }): string {
  const blocks = Array.isArray(result.content) ? result.content : [];
  const texts = blocks.map((block) => textOfBlock(block as Fields));
  // Servers repeat structured content as text for whoever cannot read it otherwise.
  if (result.structuredContent !== undefined && !blocks.some((block) => block?.type === 'text')) {
    texts.push(JSON.stringify(result.structuredContent));
  }
  return texts.join('\n\n').slice(0, LONG);
}

function textOfBlock(block: Fields): string {
  switch (block?.type) {
    case 'text':
      return String(block.text ?? '');
    case 'image':
    case 'audio':
      return `[${block.type}, ${String(block.mimeType)}, left out]`;
    case 'resource_link':
      return `[link to ${String(block.name ?? 'a resource')}: ${String(block.uri)}]`;
    case 'resource': {
      const { uri, text, mimeType } = (block.resource ?? {}) as Fields;
      return typeof text === 'string' ? text : `[file ${String(uri)}, ${String(mimeType)}, left out]`;
    }
    default:
      return '[content of another kind, left out]';
  }
}
