import { isDeeper } from '../../lib/nesting.ts';
import { cutText } from '../../lib/text/cut-text.ts';
import { untilAborted } from '../../lib/time.ts';
import type { ChatMessage } from './language-model.ts';
import { ModelFailure, type ModelNote, type ModelTool } from './models.ts';
import type { WantedCall } from './read-answer.ts';
import { safeToolName } from './safe-tool-name.ts';

type ToolMessage = Extract<ChatMessage, { role: 'tool' }>;

/** Characters of one result that are sent to the model. */
const MAX_RESULT_CHARS = 100_000;
/** Calls per turn; the model is asked to repeat further ones later. */
const MAX_CALLS = 32;
/** Levels of JSON that a model may write. */
const MAX_DEPTH = 100;

/** Throws `ModelFailure` (`rejected`) for names that a provider would refuse, or that occur twice. */
export function assertNames(tools: readonly ModelTool[]): void {
  const seen = new Set<string>();
  for (const { name } of tools) {
    if (!/^[a-zA-Z0-9_-]{1,64}$/.test(name) || seen.has(safeToolName(name))) {
      throw new ModelFailure('rejected', `A tool cannot be named ${JSON.stringify(name.slice(0, 80))}.`);
    }
    seen.add(safeToolName(name));
  }
}

/** Runs the model's tool calls in order; an error becomes the result of its call. */
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
      index < MAX_CALLS
        ? await callOne(call, tools, signal)
        : { input: undefined, ...fault('Too many calls at once; make this one again in the next turn.') };
    const text = capped(result.text);
    chars += text.length;
    content.push({
      type: 'tool-result',
      toolCallId: call.id,
      toolName: safeToolName(call.name),
      output: { type: result.isError ? 'error-text' : 'text', value: text },
    });
    // One note covers all further calls.
    if (index > MAX_CALLS) continue;
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
  const tool = tools.find(({ name }) => safeToolName(name) === call.name);
  let input: unknown;
  try {
    input = JSON.parse(call.input === '' ? '{}' : call.input);
  } catch {
    return { input: undefined, ...fault('The input of the call is not valid JSON.') };
  }
  if (isDeeper(input, MAX_DEPTH)) return { input: undefined, ...fault('The input is nested too deeply.') };
  if (tool === undefined) return { input, ...fault('There is no tool of this name.') };
  if (typeof input !== 'object' || input === null || Array.isArray(input)) {
    return { input, ...fault('The input of the call must be a JSON object.') };
  }
  try {
    return { input, ...(await untilAborted(tool.call(input, signal), signal)) };
  } catch (error) {
    signal.throwIfAborted();
    return { input, ...fault(`The tool failed: ${cutText((error as Error)?.message ?? '', 500)}`) };
  }
}

function capped(text: string): string {
  if (text.length <= MAX_RESULT_CHARS) return text;
  const kept = cutText(text, MAX_RESULT_CHARS);
  return `${kept}\n[Cut here: ${text.length - kept.length} more characters are left out.]`;
}
