/** The claims of a token, which anyone can read without a secret; undefined if the text is no token. */
export function claimsOf(token: string): Record<string, unknown> | undefined {
  try {
    const [, middle = ''] = token.split('.');
    const binary = atob(middle.replaceAll('-', '+').replaceAll('_', '/'));
    const bytes = Uint8Array.from(binary, (char) => char.charCodeAt(0));
    const claims: unknown = JSON.parse(new TextDecoder().decode(bytes));
    return typeof claims === 'object' && claims !== null ? (claims as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}

export interface GrantLine {
  type: 'organization' | 'folder' | 'document';
  id: string;
  organizationId?: string;
}

/** Places as they are typed: `acme`, `acme/pricing-page` for a document, `acme/folder:drafts` for a folder. */
export function placesIn(text: string): GrantLine[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .map((line) => {
      const at = line.indexOf('/');
      if (at === -1) return { type: 'organization', id: line };
      const organizationId = line.slice(0, at);
      const id = line.slice(at + 1);
      return id.startsWith('folder:')
        ? { type: 'folder', id: id.slice('folder:'.length), organizationId }
        : { type: 'document', id, organizationId };
    });
}
