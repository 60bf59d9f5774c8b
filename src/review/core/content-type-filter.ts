import type { AgentBehavior } from '../../shapes/agents/agent-behavior.ts';
import { runChecker } from '../links/run-checker.ts';
import type { TaskContext } from './execute-task.ts';

const MAX_NAMED = 50;

/**
 * The media types that an agent handles, `text/*` among them; undefined where it says nothing of media types. Other
 * words in the list, such as kinds of articles, are for people.
 */
function handledTypes({ scope }: AgentBehavior): string[] | undefined {
  const types = (scope?.contentTypes ?? []).map(essenceOf).filter((type) => /^[^/\s]+\/[^/\s]+$/.test(type));
  return types.length > 0 ? types : undefined;
}

const essenceOf = (type: string): string => type.split(';', 1)[0]!.trim().toLowerCase();

/** Whether an agent looks at what comes as this content type; where a server does not say, it does. */
export function handlesType(behavior: AgentBehavior, contentType: string | undefined): boolean {
  const types = handledTypes(behavior);
  const type = essenceOf(contentType ?? '');
  if (!types || type === '') return true;
  return types.some(
    (one) => one === '*/*' || one === type || (one.endsWith('/*') && type.startsWith(one.slice(0, -1))),
  );
}

/**
 * Those of the addresses that an agent looks at by their content type, with a note of the others in the log. One that
 * cannot be asked stays, so that its failure is told of where pages are.
 */
export async function ofHandledType(
  behavior: AgentBehavior,
  urls: string[],
  context: Pick<TaskContext, 'once' | 'fetch' | 'browser' | 'log' | 'signal'>,
): Promise<string[]> {
  if (!handledTypes(behavior)) return urls;
  const checker = runChecker(context);
  const types = await Promise.all(
    urls.map(async (url) => {
      const reached = await checker.read(url, context.signal).catch(() => undefined);
      return reached?.final.contentType;
    }),
  );
  context.signal.throwIfAborted();
  const passedOver = urls.flatMap((url, index) =>
    handlesType(behavior, types[index]) ? [] : [{ url, contentType: types[index] }],
  );
  if (passedOver.length > 0) {
    const noun = passedOver.length === 1 ? 'page is' : 'pages are';
    context.log({
      level: 'info',
      message: `${passedOver.length} ${noun} passed over: the agent does not handle what they hold.`,
      data: { skipped: passedOver.slice(0, MAX_NAMED) },
    });
  }
  const left = new Set(passedOver.map(({ url }) => url));
  return urls.filter((url) => !left.has(url));
}
