const MAX_DATA_URI = 80;

/** Leaves of a file that is written into an address (`data:`) only what kind it is of. */
export const shortenFiles = (text: string): string =>
  // The bound keeps the search linear, whatever a page repeats after `data:`.
  text.replace(/data:[^,\s"')]{0,200},[^\s"')]+/g, (uri) =>
    uri.length > MAX_DATA_URI ? `${uri.slice(0, uri.indexOf(',') + 1)}…` : uri,
  );
