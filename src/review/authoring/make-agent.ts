import type { ChecklistItem } from '../../lib/checklist/checklist-item.ts';
import type { Fields } from '../../lib/json.ts';
import { cutText, shorten } from '../../lib/text/cut-text.ts';
import type { Severity } from '../../shapes/agents/execution.ts';
import { type InferredConfig, inferAgentConfig } from '../agents/infer-agent-config.ts';
import { choosableService } from '../services/index.ts';
import type { AgentDraft } from './agent-draft.ts';

const MAX_NAME_CHARS = 80;
const MAX_DESCRIPTION_CHARS = 500;
const MAX_WORDS_CHARS = 8_000;
const MAX_SCOPE_CHARS = 200;
/** Length of each field of an item's provenance. */
const MAX_NOTE_CHARS = 300;

/** Makes the agent for an item of a checklist, without a model. */
export function makeAgent(item: ChecklistItem, fileName: string | undefined): AgentDraft {
  const words = [item.title, item.check, ...item.details].join('\n');
  const byWords = inferAgentConfig(words);
  const about = [...item.headings, ...(item.category === undefined ? [] : [item.category])];
  const description = [
    ...(about.length > 0 ? [`${about.join(' / ')}.`] : []),
    ...(item.title && item.title !== item.check ? [item.check] : []),
    ...item.details,
  ].join(' ');
  return {
    name: nameOf(item.title || item.check),
    ...(description !== '' && { description: shorten(description, MAX_DESCRIPTION_CHARS) }),
    rawInstructions: cutText(item.original, MAX_WORDS_CHARS),
    instructions: instructionsFor(item, about),
    // Headings cover more than the item, so they only decide if the item itself says too little.
    ...behaviorOf(byWords.isCertain ? byWords : inferAgentConfig(about.join(' '))),
    ...scopeOf(item.url),
    metadata: { checklist: provenance(item, fileName) },
  };
}

export const nameOf = (text: string): string =>
  shorten(text.split('\n', 1)[0]!.replace(/\s+/g, ' ').trim(), MAX_NAME_CHARS);

/** Behavior of an agent with this config, as input for creating it. */
export function behaviorOf({ strategies, serviceId }: Pick<InferredConfig, 'strategies' | 'serviceId'>) {
  const responseAdapter = choosableService(serviceId)?.choice.responseAdapter;
  return {
    contextGathering: { strategies },
    execution:
      serviceId === undefined ? { executionStrategy: 'ai' } : { executionStrategy: 'service', serviceId },
    ...(responseAdapter !== undefined && { response: { responseAdapter } }),
  };
}

/** Origin of an item, so that it can be found in its file. */
export function provenance(item: ChecklistItem, fileName: string | undefined): Fields {
  const cut = (text: string) => shorten(text, MAX_NOTE_CHARS);
  return {
    ...(fileName !== undefined && { fileName: cut(fileName) }),
    place: item.place,
    ...(item.headings.length > 0 && { headings: item.headings.map(cut) }),
    ...(item.category !== undefined && { category: cut(item.category) }),
    ...(item.severity !== undefined && { severity: cut(item.severity) }),
    ...(item.reference !== undefined && { reference: cut(item.reference) }),
    ...(item.url !== undefined && { url: cut(item.url) }),
  };
}

/** Limits the agent to the page that an item names, if any. */
export function scopeOf(url: string | undefined): { scope?: { pageScope: string[] } } {
  const isAddress =
    url !== undefined && /^(https?:\/\/\S+|\/\S*)$/.test(url) && url.length <= MAX_SCOPE_CHARS;
  return isAddress ? { scope: { pageScope: [url] } } : {};
}

function instructionsFor(item: ChecklistItem, about: string[]): string {
  const severity = severityOf(item.severity);
  return [
    `You check a web page against one item of a checklist${about.length > 0 ? `, from ${about.map(quote).join(', ')}` : ''}:`,
    cutText(
      [...(item.title && item.title !== item.check ? [item.title] : []), item.check].join('\n'),
      MAX_WORDS_CHARS,
    ),
    ...(item.details.length > 0
      ? [`The checklist says to it:\n${cutText(item.details.join('\n'), MAX_WORDS_CHARS)}`]
      : []),
    'Give one finding for each place where the page does not meet it: say what is wrong there, quote the words it is about exactly, and suggest what to change. Where the item asks for something that the page lacks as a whole, give one finding for the page.',
    `${severity ? `Use the severity ${severity}. ` : ''}When the page meets the item, or has nothing that it is about, answer with no findings. Report nothing else.`,
  ].join('\n\n');
}

const quote = (text: string) => `"${text}"`;

const SEVERITIES: [Severity, RegExp][] = [
  ['critical', /^(critical|blocker|p0|sev ?0|1 ?- ?critical)\b/i],
  ['high', /^(high|major|must|p1|sev ?1)\b/i],
  ['medium', /^(medium|moderate|normal|should|p2|sev ?2)\b/i],
  ['low', /^(low|minor|could|p3|sev ?3)\b/i],
  ['info', /^(info\w*|trivial|nice|p4|sev ?4)\b/i],
];

/** Severity by the words of a file, such as `P1` or `major`. */
const severityOf = (text: string | undefined): Severity | undefined =>
  SEVERITIES.find(([, form]) => form.test(text?.trim() ?? ''))?.[0];
