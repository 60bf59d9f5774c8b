const MAX_DATA_URI = 80;

/** Cuts `data:` URIs down to their media type. */
export const shortenDataUris = (text: string): string =>
  // The bound keeps the search linear on hostile text.
  text.replace(/data:[^,\s"')]{0,200},[^\s"')]+/g, (uri) =>
    uri.length > MAX_DATA_URI ? `${uri.slice(0, uri.indexOf(',') + 1)}…` : uri,
  );
