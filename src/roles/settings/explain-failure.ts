/** An error in words for the operator. Faults of the program include their stack. */
export function explain(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const code = 'code' in error ? String(error.code) : undefined;
  if (code === 'EADDRINUSE')
    return `The address is in use already (${error.message}). Set PORT to another one.`;
  const isProgramFault = [TypeError, ReferenceError, RangeError, SyntaxError].some(
    (kind) => error instanceof kind,
  );
  return isProgramFault ? (error.stack ?? error.message) : error.message || code || error.name;
}
