const MAX_CHARS = 5_000_000;

/** Turns a tool's result into text; content of other kinds is replaced by its description. */
export function textOfResult(result: { content?: unknown; structuredContent?: unknown }): string {
  const blocks = Array.isArray(result.content) ? result.content : [];
  const texts = blocks.map((block) => textOfBlock(block as Record<string, unknown>));
  // Servers usually repeat structured content as text.
  if (result.structuredContent !== undefined && !blocks.some((block) => block?.type === 'text')) {
    texts.push(JSON.stringify(result.structuredContent));
  }
  return texts.join('\n\n').slice(0, MAX_CHARS);
}

function textOfBlock(block: Record<string, unknown>): string {
  switch (block?.type) {
    case 'text':
      return String(block.text ?? '');
    case 'image':
    case 'audio':
      return `[${block.type}, ${String(block.mimeType)}, left out]`;
    case 'resource_link':
      return `[link to ${String(block.name ?? 'a resource')}: ${String(block.uri)}]`;
    case 'resource': {
      const { uri, text, mimeType } = (block.resource ?? {}) as Record<string, unknown>;
      return typeof text === 'string' ? text : `[file ${String(uri)}, ${String(mimeType)}, left out]`;
    }
    default:
      return '[content of another kind, left out]';
  }
}
