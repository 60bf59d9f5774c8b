import type { AgentBehavior } from '../../shapes/agents/agent-behavior.ts';
import type { PageContext } from '../core/execution-strategy.ts';
import { linkCheckerOf } from '../links/rendering/link-checker-of-run.ts';

const MAX_NAMED = 50;

/**
 * Media types and ranges such as `text/*` that an agent handles; undefined if it lists none. Other words in the list,
 * such as kinds of articles, are for people.
 */
function handledTypes({ scope }: AgentBehavior): string[] | undefined {
  const types = (scope?.contentTypes ?? []).map(essenceOf).filter((type) => /^[^/\s]+\/[^/\s]+$/.test(type));
  return types.length > 0 ? types : undefined;
}

const essenceOf = (type: string): string => type.split(';', 1)[0]!.trim().toLowerCase();

/** True if an agent reviews pages of this content type, or if the server sent none. */
export function handlesType(behavior: AgentBehavior, contentType: string | undefined): boolean {
  const types = handledTypes(behavior);
  const type = essenceOf(contentType ?? '');
  if (!types || type === '') return true;
  return types.some(
    (range) =>
      range === '*/*' || range === type || (range.endsWith('/*') && type.startsWith(range.slice(0, -1))),
  );
}

/**
 * Drops and logs addresses whose content type the agent does not handle. Addresses that cannot be fetched stay, so that
 * the failure is reported with their page.
 */
export async function filterByType(
  behavior: AgentBehavior,
  urls: string[],
  context: Pick<PageContext, 'once' | 'fetch' | 'browser' | 'log' | 'signal'>,
): Promise<string[]> {
  if (!handledTypes(behavior)) return urls;
  const checker = linkCheckerOf(context);
  const types = await Promise.all(
    urls.map(async (url) => {
      const fetched = await checker.read(url, context.signal).catch(() => undefined);
      return fetched?.final.contentType;
    }),
  );
  context.signal.throwIfAborted();
  const skipped = urls.flatMap((url, index) =>
    handlesType(behavior, types[index]) ? [] : [{ url, contentType: types[index] }],
  );
  if (skipped.length > 0) {
    const noun = skipped.length === 1 ? 'page is' : 'pages are';
    context.log({
      level: 'info',
      message: `${skipped.length} ${noun} skipped: the agent does not handle their content type.`,
      data: { skipped: skipped.slice(0, MAX_NAMED) },
    });
  }
  const dropped = new Set(skipped.map(({ url }) => url));
  return urls.filter((url) => !dropped.has(url));
}
