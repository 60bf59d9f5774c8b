import { cutText } from '../../lib/text/cut-text.ts';
import { fold } from './deobfuscate.ts';
import { type Passage, passagesOf } from './injected-passages.ts';
import type { Injection } from './injection.ts';
import { chineseSignals } from './signals/chinese.ts';
import { exfiltrateSignals } from './signals/exfiltrate.ts';
import { frenchSignals } from './signals/french.ts';
import { furtherSignals } from './signals/further-languages.ts';
import { germanSignals } from './signals/german.ts';
import { overrideSignals } from './signals/override.ts';
import { roleSignals } from './signals/role.ts';
import type { InjectionKind, Signal } from './signals/signal.ts';
import { spanishSignals } from './signals/spanish.ts';
import { suppressSignals } from './signals/suppress.ts';

const englishSignals = [...overrideSignals, ...roleSignals, ...suppressSignals, ...exfiltrateSignals];

/** Sum of weights from which a group of signals counts as an injection. */
const MIN_SCORE = 3;
/** Signals no further apart form a group. */
const GROUP_CHARS = 220;
/** Characters around a group that are searched for talk about injections. */
const CONTEXT_CHARS = 400;
const MAX_CHARS = 2_000_000;
const MAX_HITS = 2_000;
const MAX_FOUND = 20;
const MAX_QUOTE = 200;
const MAX_READING = 400;

/** Signals of each language, tried only on text that has one of the commonest words of the language. */
const languages: readonly { needs: RegExp; signals: readonly Signal[] }[] = [
  { needs: /[a-z]/, signals: englishSignals },
  { needs: /\b(?:und|die|der|das|du|sie|alle|deine?n?|keine?|nicht|von|auf|als)\b/, signals: germanSignals },
  {
    needs: /\b(?:les?|vous|tu|toute?s?|des|que|une?|pas|tes|vos|aux?|ne|de|cette|est|la)\b/,
    signals: frenchSignals,
  },
  { needs: /\b(?:las?|los|que|tod[ao]s?|una?|tus?|eres|del?|como|en)\b/, signals: spanishSignals },
  { needs: /[\u3400-\u9fff]/, signals: chineseSignals },
  { needs: /[\u0400-\u04ff\u3040-\u30ff\uac00-\ud7af]|\b(?:le|nao|non|as|tutte)\b/, signals: furtherSignals },
];
/** Every injection contains one of these words, so long visible passages are searched only around them. */
const ANCHOR =
  /instruc|prompt|\bai\b|\bllms?\b|\bgpt|claude|gemini|copilot|assist|model|agent|review|evaluator|grader|auditor|scanner|\bbots?\b|crawler|chatbot|moderator|summari|system|\bdata\b|inst\]|im_(?:start|end)|tool|guideline|directive|\brules\b|override|findings|from now on|henceforth|anweis|\bki\b|sprachmodell|prufer|befund|consigne|\bia\b|modele|relecteur|regles|instruccion|ordenes|asistente|modelo|revisor|istruz|instruc|direction|guidance|api.?key|credential|secret|\bvariable|指令|指示|提示|规则|人工智能|模型|助手|审核|审查|审阅|机器人|инструкц|указан|プロンプト|命令|지시|지침|!\[|\byou (?:were|have been) (?:told|given)|said before|above|169\.254/g;
/** The same for hidden passages, where fewer signals are enough. */
const HIDDEN_ANCHOR = new RegExp(
  `${ANCHOR.source}|report|ignore|disregard|forget|reveal|approve|issue|problem|error|send|fetch|secret|password|api.?key|token|melde|fehler|signal|erreur|inform|报告|问题|错误|忽略`,
  'g',
);
/** Words of texts about injections, such as articles on security. */
const ABOUT =
  /prompt[ -]?injection|injections?\b|jailbreak|attack|adversar|malicious|for example|for instance|\be\.g\.|\bexamples?\b|such as|phrases? like|text like|instructions? like|research|\bpaper\b|mitigat|defen[sc]e|detect|vulnerab|\bowasp\b|red[ -]?team|guardrail|beispiel|angriff|angreifer|attaque|exemple|ataque|ejemplo|攻击|例如|注入|so-called|known as|hijack|payload|pwned|\bby (?:writing|typing|saying|asking)|could be made|demonstrat|\btrick|exploit|sanitiz|untrusted|how to write|tutorial|documentation/g;
/** Words in titles and samples of such texts. */
const TOPIC =
  /prompt[ -]?injection|jailbreak|red[ -]?team|\bpayloads?\b|attack|adversarial|\bdefend|chat template|documentation|\bapi reference|tool (?:use|calling)|function calling/;
/** Text before an order that is reported instead of given: "they told it to …". */
const REPORTED =
  /(?:\b(?:told|tells?|telling|ask(?:s|ed|ing)?|instruct(?:s|ed|ing)|tr(?:y|ies|ied|ying)|tricks?|tricked|tricking|gets?|getting|makes?|making|made|cause[sd]?|causing|convinces?|persuade[sd]?|force[sd]?|attempts?|designed|learn(?:s|ed)?|say(?:s|ing)?|said|commands?|directs?|directed|requests?|manipulat\w+|model|assistant|llm|ai|agent|it|them|him|her|users?|bot)(?: \w+){0,2} to|\b(?:how|ways|attempts?|orders?|requests?) to|\b(?:to|would|could|might|may|can|will|they|we|did|does|and then|models?|users?|people|attackers?)) $/;
const NEGATED =
  /\b(?:not|never|n't|dont|cannot|without|nicht|niemals|ne|nunca|不要|不会|不能|refuse to|refuses to|unable to) ?(?:\w+ )?$/;

/** Matches letters that were spaced out and lost the gaps between their words. */
const joinedSignal: Signal = {
  name: 'joined',
  kind: 'override',
  weight: 3,
  pattern:
    /(?:ignore|disregard|forget|override)(?:all|any|the|of|your|my|these)*(?:previous|prior|above|earlier|your|system|preceding)(?:instructions?|prompts?|rules|directives?)|(?:report|return|answerwith|respondwith)(?:no|zero)(?:findings|issues|problems|errors)|(?:revealyour|reveal|printyour|printthe)system?prompt|donotreport(?:any)?(?:findings|issues|problems|errors|thispage)/,
};

interface Hit {
  signal: Signal;
  start: number;
  end: number;
  passage: Passage;
  /** Offset of the passage in the joined text; `start` and `end` count from the same place. */
  from: number;
}

/**
 * Finds prompt injections: passages that address the model that reads a text and give it orders. Leaves out texts
 * about injections and orders to people. Takes time linear in the length of the text. `where` is copied to the result.
 */
export function findInjections(text: string, where: string): Injection[] {
  const passages = passagesOf(text.slice(0, MAX_CHARS));
  const all = joinPassages(passages);
  // The samples of an article about injections are passages of their own, apart from its title.
  const isAbout = all.visible.some(([from, to]) => TOPIC.test(all.folded.slice(from, to)));
  const found: Injection[] = [];
  for (const group of groupsOf(hitsIn(all))) {
    if (found.length >= MAX_FOUND) break;
    const { passage, from } = group[0]!;
    const folded = all.folded.slice(from, from + passage.text.length);
    const own = group.map((hit) => ({ ...hit, start: hit.start - from, end: hit.end - from }));
    const score = weigh(own, passage, folded, isAbout);
    if (score >= MIN_SCORE) found.push(injectionOf(own, score, passage, where));
  }
  for (const { passage } of all.passages) {
    if (!passage.hiding?.includes('gaps')) continue;
    const match = found.length === 0 && joinedSignal.pattern.exec(fold(passage.text));
    if (!match) continue;
    const hit = {
      signal: joinedSignal,
      start: match.index,
      end: match.index + match[0].length,
      passage,
      from: 0,
    };
    found.push(injectionOf([hit], MIN_SCORE, passage, where));
  }
  return found;
}

/** All passages in one string, so that each pattern runs once and not once per passage. */
interface JoinedPassages {
  folded: string;
  passages: { passage: Passage; from: number }[];
  /** Ranges that human readers see. */
  visible: [number, number][];
}

/** Separates passages; the gaps that patterns allow do not match it. */
const BORDER = '\n.\u0001.\n';

function joinPassages(passages: readonly Passage[]): JoinedPassages {
  const parts: string[] = [];
  const placed: JoinedPassages['passages'] = [];
  const visible: [number, number][] = [];
  let at = 0;
  for (const passage of passages) {
    const folded = fold(passage.text);
    if (passage.hiding === undefined) visible.push([at, at + folded.length]);
    placed.push({ passage, from: at });
    parts.push(folded, BORDER);
    at += folded.length + BORDER.length;
  }
  return { folded: parts.join(''), passages: placed, visible };
}

function hitsIn(all: JoinedPassages): Hit[] {
  const hits: Hit[] = [];
  for (const [from, to] of windowsOf(all)) {
    const part = all.folded.slice(from, to);
    for (const { needs, signals } of languages) {
      if (!needs.test(part)) continue;
      for (const signal of signals) {
        for (const match of part.matchAll(signal.pattern)) {
          if (hits.length >= MAX_HITS) break;
          const end = from + match.index + match[0].length;
          // A match may begin with the border before its passage.
          const placed = passageAt(all, end - 1);
          const start = Math.max(placed.from, from + match.index);
          if (isOrder(signal, all.folded, start)) hits.push({ signal, start, end, ...placed });
        }
      }
    }
  }
  return hits.sort((one, other) => one.start - other.start);
}

/** Binary search for the passage around an offset. */
function passageAt({ passages }: JoinedPassages, at: number): { passage: Passage; from: number } {
  let low = 0;
  let high = passages.length - 1;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (passages[middle]!.from <= at) low = middle;
    else high = middle - 1;
  }
  return passages[low]!;
}

/** Ranges of the text that can hold an injection. */
function windowsOf({ folded, passages }: JoinedPassages): [number, number][] {
  const ranges: [number, number][] = [];
  const add = (from: number, to: number) => {
    const last = ranges.at(-1);
    if (last && from <= last[1] + BORDER.length) last[1] = Math.max(last[1], to);
    else ranges.push([from, to]);
  };
  for (const { passage, from } of passages) {
    const to = from + passage.text.length;
    const own = folded.slice(from, to);
    const anchor = passage.hiding === undefined ? ANCHOR : HIDDEN_ANCHOR;
    if (own.length <= 2 * CONTEXT_CHARS) {
      if (passage.hiding === undefined || own.search(anchor) >= 0) add(from, to);
      continue;
    }
    for (const { index } of own.matchAll(anchor)) {
      add(Math.max(from, from + index - GROUP_CHARS), Math.min(to, from + index + GROUP_CHARS));
    }
  }
  return ranges;
}

/** Signals that count in a report or a denial as well. */
const CONTEXT_FREE_SIGNALS = new Set([
  'addressed',
  'your-review',
  'urgency',
  'inside-address',
  'beacon',
  'tool-form',
  'speaks-as-system',
  'given-to-you',
  'end-of-data',
]);

/** False for the report of an order and for its denial. */
function isOrder({ name }: Signal, folded: string, start: number): boolean {
  if (CONTEXT_FREE_SIGNALS.has(name)) return true;
  const before = folded.slice(Math.max(0, start - 40), start).replace(/\s+/g, ' ');
  return !REPORTED.test(before) && !NEGATED.test(before);
}

function groupsOf(hits: readonly Hit[]): Hit[][] {
  const groups: Hit[][] = [];
  let end = 0;
  for (const hit of hits) {
    const group = groups.at(-1);
    if (
      group &&
      group[0]!.from === hit.from &&
      hit.start - end <= GROUP_CHARS &&
      hit.start - group[0]!.start <= 4 * GROUP_CHARS
    )
      group.push(hit);
    else groups.push([hit]);
    end = Math.max(hit.end, group ? end : 0);
  }
  return groups;
}

function weigh(group: readonly Hit[], { hiding, isCode }: Passage, folded: string, isAbout: boolean): number {
  const weights = new Map<string, number>();
  for (const { signal } of group)
    weights.set(signal.name, Math.max(signal.weight, weights.get(signal.name) ?? 0));
  // Visible text says such things to its human readers, too.
  if (hiding === undefined) weights.delete('this-page');
  const sum = [...weights.values()].reduce((total, weight) => total + weight, 0);
  // Comments give orders to developers, so that hiding there does not raise the score.
  if (hiding !== undefined) return hiding === 'in a comment' ? sum : sum + 1;
  const start = group[0]!.start;
  const end = Math.max(...group.map((hit) => hit.end));
  const around = folded
    .slice(Math.max(0, start - CONTEXT_CHARS), end + CONTEXT_CHARS)
    .replace(/\S+[@/]\S+/g, ' ');
  const about = new Set(around.match(ABOUT) ?? []).size;
  if (isCode) return isAbout || about > 0 ? 0 : sum - 2;
  if (about > 0 && isQuoted(folded, start)) return 0;
  return about > 1 ? sum - about : sum;
}

/** True if an opening quotation mark or bracket closely precedes the offset. */
function isQuoted(folded: string, start: number): boolean {
  const before = folded.slice(Math.max(0, start - 60), start + 2);
  return /["'`([][^"'`)\]\n]{0,60}$/.test(before);
}

function injectionOf(
  group: readonly Hit[],
  score: number,
  { text, hiding }: Passage,
  where: string,
): Injection {
  const heaviest = group.reduce((one, other) => (other.signal.weight > one.signal.weight ? other : one));
  const heaviestHits = group.filter((hit) => hit.signal.weight === heaviest.signal.weight);
  const from = sentenceStart(text, heaviestHits[0]!.start);
  const to = sentenceEnd(text, Math.max(...heaviestHits.map((hit) => hit.end)));
  const line = lineOf(text, heaviest.start, sentenceEnd(text, heaviest.end));
  return {
    kind: kindOf(group, heaviest.signal.kind),
    where,
    quote: cutText(line, MAX_QUOTE).trim(),
    reading: cutText(text.slice(from, to).replace(/\s+/g, ' ').trim(), MAX_READING),
    ...(hiding !== undefined && { hiding }),
    confidence: Math.min(98, 55 + 8 * score),
  };
}

/** Kinds that name the aim of an injection. They take precedence over kinds that name its means. */
const KIND_PRIORITY: readonly InjectionKind[] = ['exfiltrate', 'tool', 'suppress'];
const kindOf = (group: readonly Hit[], otherwise: InjectionKind): InjectionKind =>
  KIND_PRIORITY.find((kind) => group.some(({ signal }) => signal.kind === kind && signal.weight > 1)) ??
  otherwise;

const sentenceStart = (text: string, at: number): number => {
  const from = Math.max(0, at - 120);
  const before = text.slice(from, at);
  const stop = Math.max(...['. ', '! ', '? ', '\n', '。'].map((mark) => before.lastIndexOf(mark)));
  return stop < 0 ? from : from + stop + 1;
};

function sentenceEnd(text: string, at: number): number {
  const stop = text.slice(at, at + 200).search(/[.!?](?:\s|$)|\n|。/);
  return stop < 0 ? Math.min(text.length, at + 200) : at + stop + 1;
}

/** The text from a place to the end of its line at most: a quote over several lines cannot be found in the page. */
function lineOf(text: string, start: number, end: number): string {
  const from = start + (/^[\s"'(>*#[\]:;,.!?-]*/.exec(text.slice(start, start + 20))?.[0].length ?? 0);
  const line = text.slice(from, Math.max(end, from + 1)).split('\n', 1)[0]!;
  return line;
}
