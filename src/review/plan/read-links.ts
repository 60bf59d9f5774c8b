import type { PageContext } from '../core/execution-strategy.ts';
import type { Gathered } from '../core/gathered.ts';
import type { Run } from '../core/run-state.ts';
import { webPageLinks } from '../gather/web-page-links.ts';
import type { PageLinks } from '../links/page/page-links.ts';
import { pageReaderOf } from '../links/rendering/page-reader.ts';

type ReadContext = Pick<PageContext, 'fetch' | 'browser' | 'once' | 'log' | 'signal'>;

/**
 * Reads the links of a page, without a browser if scripts cannot have changed them, and otherwise as `gather` does. What
 * `gather` returns is marked with the reason.
 */
export async function readLinks<Read extends { gathered: Gathered[] }>(
  { request }: Run,
  url: string,
  context: ReadContext,
  gather: () => Promise<Read>,
): Promise<Read | { gathered: Gathered[] }> {
  const reading = await pageReaderOf(context, request.deviceType).read(url, context.signal);
  if (reading.page) return { gathered: [asGathered(reading.page)] };
  let rendered: PageLinks | undefined;
  try {
    const read = await gather();
    rendered = linksIn(read.gathered);
    return read;
  } finally {
    const marked = reading.done(rendered);
    if (rendered && marked) rendered.reading = marked.reading;
  }
}

/** The links of a page among what was gathered. */
export const linksIn = (gathered: readonly Gathered[]): PageLinks | undefined =>
  gathered.find(({ name }) => name === webPageLinks.name)?.data as PageLinks | undefined;

const asGathered = (data: PageLinks): Gathered => ({ name: webPageLinks.name, data, parts: [] });

/** Logs how many pages of a run were read in a browser, and why. */
export function logReadings({ request }: Run, context: ReadContext): void {
  const report = pageReaderOf(context, request.deviceType).report();
  if (report) context.log({ level: 'info', kind: 'phase', ...report });
}
