export type CheckStatus = 'ok' | 'warning' | 'failed' | 'skipped';

/** Result of a check. */
export interface Finding {
  status: CheckStatus;
  /** Sentences for the operator, with paths and addresses, without secrets. */
  found: string;
  /** Remedy for the operator. */
  advice?: string | undefined;
  /** A sentence for the public /ready: settings and kinds of reasons, no paths or addresses. */
  brief?: string | undefined;
}

export const ok = (found: string): Finding => ({ status: 'ok', found });
export const skipped = (found: string): Finding => ({ status: 'skipped', found });
export const warning = (found: string, advice?: string, brief?: string): Finding => ({
  status: 'warning',
  found,
  advice,
  brief,
});
export const failed = (found: string, advice?: string, brief?: string): Finding => ({
  status: 'failed',
  found,
  advice,
  brief,
});

/** Merges findings of one check: the worst status with the words of all. */
export function joinFindings(findings: readonly Finding[]): Finding {
  const order: CheckStatus[] = ['failed', 'warning', 'ok', 'skipped'];
  const status = order.find((it) => findings.some((finding) => finding.status === it)) ?? 'skipped';
  const words = (pick: (finding: Finding) => string | undefined) =>
    [...new Set(findings.flatMap((finding) => pick(finding) ?? []))].join(' ') || undefined;
  return {
    status,
    found: words(({ found }) => found) ?? '',
    advice: words(({ advice }) => advice),
    brief: words(({ brief }) => brief),
  };
}

/** Runs a check with a time limit. Never throws. */
export async function withinTime<F extends Finding>(
  name: string,
  timeoutMs: number,
  work: (signal: AbortSignal) => Promise<F>,
  end?: AbortSignal,
): Promise<F | Finding> {
  const time = AbortSignal.timeout(timeoutMs);
  const signal = end ? AbortSignal.any([time, end]) : time;
  const late = Promise.withResolvers<Finding>();
  const onAbort = () =>
    late.resolve(
      failed(`It took longer than ${timeoutMs / 1_000} s.`, undefined, `The check "${name}" takes too long.`),
    );
  signal.addEventListener('abort', onAbort, { once: true });
  if (signal.aborted) onAbort();
  const working = (async () => await work(signal))().catch((error: unknown) =>
    failed(asSentence(reasonOf(error)), undefined, `The check "${name}" cannot be made.`),
  );
  try {
    return await Promise.race([working, late.promise]);
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}

/** The message of an error, or its code if it has no message. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { code } = error as NodeJS.ErrnoException;
  return error.message || code || error.name;
}

export const asSentence = (text: string): string => (/[.!?…]$/.test(text) ? text : `${text}.`);

/** Milliseconds in words. */
export const inWords = (ms: number): string =>
  ms < 950 ? `${Math.round(ms)} ms` : `${(ms / 1_000).toFixed(1)} s`;

/** Bytes in words. */
export function sizeInWords(bytes: number): string {
  const gigabytes = bytes / 1_073_741_824;
  return gigabytes >= 1 ? `${gigabytes.toFixed(1)} GB` : `${(bytes / 1_048_576).toFixed(0)} MB`;
}
