import { isDeeper } from '../../lib/nesting.ts';
import { cutText } from '../../lib/text/cut-text.ts';
import type { Message } from './language-model.ts';
import { ModelFailure, type ModelNote, type ModelTool } from './models.ts';
import type { WantedCall } from './read-answer.ts';
import { sentName } from './sent-name.ts';

type ToolMessage = Extract<Message, { role: 'tool' }>;

/** Of one result, what the model is given. */
const MOST_CHARS = 100_000;
/** Calls of one turn that are made; the rest is told to come later. */
const MOST_CALLS = 32;
/** Of what a model writes as JSON, levels. */
const MOST_NESTED = 100;

/** Throws `ModelFailure` (`rejected`) for names that a provider would refuse, or that stand twice. */
export function assertNames(tools: readonly ModelTool[]): void {
  const seen = new Set<string>();
  for (const { name } of tools) {
    if (!/^[a-zA-Z0-9_-]{1,64}$/.test(name) || seen.has(sentName(name))) {
      throw new ModelFailure('rejected', `A tool cannot be named ${JSON.stringify(name.slice(0, 80))}.`);
    }
    seen.add(sentName(name));
  }
}

/** Makes the calls that a model wants, one after the other in its order; a fault of one is an answer to it. */
export async function callTools(
  calls: readonly WantedCall[],
  tools: readonly ModelTool[],
  signal: AbortSignal,
  note: (note: ModelNote) => void,
): Promise<{ message: ToolMessage; chars: number }> {
  const content: ToolMessage['content'] = [];
  let chars = 0;
  for (const [index, call] of calls.entries()) {
    signal.throwIfAborted();
    const began = performance.now();
    const { input, ...result } =
      index < MOST_CALLS
        ? await callOne(call, tools, signal)
        : { input: undefined, ...fault('Too many calls at once; make this one again in the next turn.') };
    const text = capped(result.text);
    chars += text.length;
    content.push({
      type: 'tool-result',
      toolCallId: call.id,
      toolName: sentName(call.name),
      output: { type: result.isError ? 'error-text' : 'text', value: text },
    });
    // The rest are told of as one.
    if (index > MOST_CALLS) continue;
    const ms = Math.round(performance.now() - began);
    note({
      kind: 'tool',
      name: call.name.slice(0, 64),
      input,
      ms,
      isError: result.isError,
      chars: result.text.length,
    });
  }
  return { message: { role: 'tool', content }, chars };
}

const fault = (text: string) => ({ text, isError: true });

async function callOne(
  call: WantedCall,
  tools: readonly ModelTool[],
  signal: AbortSignal,
): Promise<{ input: unknown; text: string; isError: boolean }> {
  const tool = tools.find(({ name }) => sentName(name) === call.name);
  let input: unknown;
  try {
    input = JSON.parse(call.input === '' ? '{}' : call.input);
  } catch {
    return { input: undefined, ...fault('The input of the call is not valid JSON.') };
  }
  if (isDeeper(input, MOST_NESTED)) return { input: undefined, ...fault('The input is nested too deeply.') };
  if (tool === undefined) return { input, ...fault('There is no tool of this name.') };
  if (typeof input !== 'object' || input === null || Array.isArray(input)) {
    return { input, ...fault('The input of the call must be a JSON object.') };
  }
  try {
    return { input, ...(await unlessAborted(tool.call(input, signal), signal)) };
  } catch (error) {
    signal.throwIfAborted();
    return { input, ...fault(`The tool failed: ${cutText((error as Error)?.message ?? '', 500)}`) };
  }
}

/** A tool that does not heed the signal holds up nobody. */
async function unlessAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  const aborted = Promise.withResolvers<never>();
  const onAbort = () => aborted.reject(signal.reason);
  signal.addEventListener('abort', onAbort, { once: true });
  try {
    return await Promise.race([promise, aborted.promise]);
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}

function capped(text: string): string {
  if (text.length <= MOST_CHARS) return text;
  const kept = cutText(text, MOST_CHARS);
  return `${kept}\n[Cut here: ${text.length - kept.length} more characters are left out.]`;
}
