/** Headers as they are pasted: lines, the flags of curl, or a JSON object. */
export function headersIn(text: string): Record<string, string> {
  const json = jsonIn(text);
  if (json) return json;
  const headers: Record<string, string> = {};
  for (const line of text.split('\n')) {
    const [, name, value] =
      /^\s*(?:-H\s+)?['"]?([\w-]+)['"]?\s*:\s*(.*?)\s*['"]?\s*[,\\]?\s*$/.exec(line) ?? [];
    if (name && value !== undefined) headers[name.toLowerCase()] = value.replace(/^['"]/, '');
  }
  return headers;
}

function jsonIn(text: string): Record<string, string> | undefined {
  if (!text.trimStart().startsWith('{')) return undefined;
  try {
    const entries = Object.entries(JSON.parse(text) as object);
    return Object.fromEntries(entries.map(([name, value]) => [name.toLowerCase(), [value].flat().join(' ')]));
  } catch {
    return undefined;
  }
}

const REQUIRED = ['webhook-id', 'webhook-timestamp', 'webhook-signature'] as const;

/** The headers that a signature needs and that were not pasted. */
export const missingHeaders = (headers: Readonly<Record<string, string>>): string[] =>
  REQUIRED.filter((name) => !headers[name]);
