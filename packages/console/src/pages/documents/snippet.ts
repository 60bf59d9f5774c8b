const attribute = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('"', '&quot;');

/** The element that shows the overlay with the threads of a document on a page. */
export const snippetOf = (
  origin: string,
  { apiKeyId, organizationId, documentId }: { apiKeyId: string; organizationId: string; documentId: string },
): string =>
  [
    `<script type="module" src="${origin}/client/overlay.js"`,
    `  data-organization="${attribute(organizationId)}"`,
    `  data-document="${attribute(documentId)}" data-key="${attribute(apiKeyId)}"></script>`,
  ].join('\n');
