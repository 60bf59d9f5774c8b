import { cutText } from '../../lib/text/cut-text.ts';
import { fold } from './clean-text.ts';
import { type Passage, passagesOf } from './injected-passages.ts';
import type { Injection, InjectionKind } from './injection.ts';
import { chineseSignals } from './signals/chinese.ts';
import { exfiltrateSignals } from './signals/exfiltrate.ts';
import { frenchSignals } from './signals/french.ts';
import { furtherSignals } from './signals/further-languages.ts';
import { germanSignals } from './signals/german.ts';
import { joinedSignal } from './signals/joined.ts';
import { overrideSignals } from './signals/override.ts';
import { roleSignals } from './signals/role.ts';
import type { Signal } from './signals/signal.ts';
import { spanishSignals } from './signals/spanish.ts';
import { suppressSignals } from './signals/suppress.ts';

const englishSignals = [...overrideSignals, ...roleSignals, ...suppressSignals, ...exfiltrateSignals];

/** What is said to machines weighs as much in all. */
const ENOUGH = 3;
/** Signals no further apart belong together. */
const REACH = 220;
/** Around them, where talk about injections would show itself. */
const AROUND = 400;
const MAX_CHARS = 2_000_000;
const MAX_HITS = 2_000;
const MAX_FOUND = 20;
const MAX_QUOTE = 200;
const MAX_READING = 400;

/** The words of each language that nobody writes a sentence of it without. */
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
/** Without any of these nothing here can be enough; visible text is only looked at around them. */
const ANCHOR =
  /instruc|prompt|\bai\b|\bllms?\b|\bgpt|claude|gemini|copilot|assist|model|agent|review|evaluator|grader|auditor|scanner|\bbots?\b|crawler|chatbot|moderator|summari|system|\bdata\b|inst\]|im_(?:start|end)|tool|guideline|directive|\brules\b|override|findings|from now on|henceforth|anweis|\bki\b|sprachmodell|prufer|befund|consigne|\bia\b|modele|relecteur|regles|instruccion|ordenes|asistente|modelo|revisor|istruz|instruc|direction|guidance|api.?key|credential|secret|\bvariable|指令|指示|提示|规则|人工智能|模型|助手|审核|审查|审阅|机器人|инструкц|указан|プロンプト|命令|지시|지침|!\[|\byou (?:were|have been) (?:told|given)|said before|above|169\.254/g;
/** The same for what no reader sees, where fewer words are enough. */
const HIDDEN_ANCHOR = new RegExp(
  `${ANCHOR.source}|report|ignore|disregard|forget|reveal|approve|issue|problem|error|send|fetch|secret|password|api.?key|token|melde|fehler|signal|erreur|inform|报告|问题|错误|忽略`,
  'g',
);
const ABOUT =
  /prompt[ -]?injection|injections?\b|jailbreak|attack|adversar|malicious|for example|for instance|\be\.g\.|\bexamples?\b|such as|phrases? like|text like|instructions? like|research|\bpaper\b|mitigat|defen[sc]e|detect|vulnerab|\bowasp\b|red[ -]?team|guardrail|beispiel|angriff|angreifer|attaque|exemple|ataque|ejemplo|攻击|例如|注入|so-called|known as|hijack|payload|pwned|\bby (?:writing|typing|saying|asking)|could be made|demonstrat|\btrick|exploit|sanitiz|untrusted|how to write|tutorial|documentation/g;
/** What an article on such passages is called. */
const TOPIC =
  /prompt[ -]?injection|jailbreak|red[ -]?team|\bpayloads?\b|attack|adversarial|\bdefend|chat template|documentation|\bapi reference|tool (?:use|calling)|function calling/;
const REPORTED =
  /(?:\b(?:told|tells?|telling|ask(?:s|ed|ing)?|instruct(?:s|ed|ing)|tr(?:y|ies|ied|ying)|tricks?|tricked|tricking|gets?|getting|makes?|making|made|cause[sd]?|causing|convinces?|persuade[sd]?|force[sd]?|attempts?|designed|learn(?:s|ed)?|say(?:s|ing)?|said|commands?|directs?|directed|requests?|manipulat\w+|model|assistant|llm|ai|agent|it|them|him|her|users?|bot)(?: \w+){0,2} to|\b(?:how|ways|attempts?|orders?|requests?) to|\b(?:to|would|could|might|may|can|will|they|we|did|does|and then|models?|users?|people|attackers?)) $/;
const NEGATED =
  /\b(?:not|never|n't|dont|cannot|without|nicht|niemals|ne|nunca|不要|不会|不能|refuse to|refuses to|unable to) ?(?:\w+ )?$/;

interface Hit {
  signal: Signal;
  start: number;
  end: number;
  /** Where it stands, and where that begins. */
  passage: Passage;
  from: number;
}

/**
 * What in a text addresses a machine that reads it, and gives it orders. `where` says what the text is, and is
 * handed on. Texts about such passages are not meant, nor what is said to people; takes time in proportion to the
 * text.
 */
export function findInjections(text: string, where: string): Injection[] {
  const passages = passagesOf(text.slice(0, MAX_CHARS));
  const all = joined(passages);
  // An article and the samples in it are passages of their own.
  const isAbout = all.shown.some(([from, to]) => TOPIC.test(all.folded.slice(from, to)));
  const found: Injection[] = [];
  for (const group of groupsOf(hitsIn(all))) {
    if (found.length >= MAX_FOUND) break;
    const { passage, from } = group[0]!;
    const folded = all.folded.slice(from, from + passage.text.length);
    const own = group.map((hit) => ({ ...hit, start: hit.start - from, end: hit.end - from }));
    const score = weigh(own, passage, folded, isAbout);
    if (score >= ENOUGH) found.push(injectionOf(own, score, passage, where));
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
    found.push(injectionOf([hit], ENOUGH, passage, where));
  }
  return found;
}

/** All passages in one string, so that each signal looks for itself once however many there are. */
interface Joined {
  folded: string;
  passages: { passage: Passage; from: number }[];
  /** The stretches that a reader sees. */
  shown: [number, number][];
}

/** Ends whatever reaches over words. */
const BORDER = '\n.\u0001.\n';

function joined(passages: readonly Passage[]): Joined {
  const parts: string[] = [];
  const placed: Joined['passages'] = [];
  const shown: [number, number][] = [];
  let at = 0;
  for (const passage of passages) {
    const folded = fold(passage.text);
    if (passage.hiding === undefined) shown.push([at, at + folded.length]);
    placed.push({ passage, from: at });
    parts.push(folded, BORDER);
    at += folded.length + BORDER.length;
  }
  return { folded: parts.join(''), passages: placed, shown };
}

function hitsIn(all: Joined): Hit[] {
  const hits: Hit[] = [];
  for (const [from, to] of windowsOf(all)) {
    const part = all.folded.slice(from, to);
    for (const { needs, signals } of languages) {
      if (!needs.test(part)) continue;
      for (const signal of signals) {
        for (const match of part.matchAll(signal.pattern)) {
          if (hits.length >= MAX_HITS) break;
          const end = from + match.index + match[0].length;
          // A match may begin with the border that stands before its passage.
          const placed = passageAt(all, end - 1);
          const start = Math.max(placed.from, from + match.index);
          if (isMeant(signal, all.folded, start)) hits.push({ signal, start, end, ...placed });
        }
      }
    }
  }
  return hits.sort((one, other) => one.start - other.start);
}

/** The last passage that begins before a place. */
function passageAt({ passages }: Joined, at: number): { passage: Passage; from: number } {
  let low = 0;
  let high = passages.length - 1;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (passages[middle]!.from <= at) low = middle;
    else high = middle - 1;
  }
  return passages[low]!;
}

/** The stretches of a text that can hold anything. */
function windowsOf({ folded, passages }: Joined): [number, number][] {
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
    if (own.length <= 2 * AROUND) {
      if (passage.hiding === undefined || own.search(anchor) >= 0) add(from, to);
      continue;
    }
    for (const { index } of own.matchAll(anchor)) {
      add(Math.max(from, from + index - REACH), Math.min(to, from + index + REACH));
    }
  }
  return ranges;
}

/** Of these a report or a denial says the same. */
const UNDENIED = new Set([
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

/** Whether it is an order rather than the report of one, or its opposite. */
function isMeant({ name }: Signal, folded: string, start: number): boolean {
  if (UNDENIED.has(name)) return true;
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
      hit.start - end <= REACH &&
      hit.start - group[0]!.start <= 4 * REACH
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
  // People are told such things about the page that they read.
  if (hiding === undefined) weights.delete('this-page');
  const sum = [...weights.values()].reduce((total, weight) => total + weight, 0);
  // Comments are written for the next developer, who is given orders too.
  if (hiding !== undefined) return hiding === 'in a comment' ? sum : sum + 1;
  const start = group[0]!.start;
  const end = Math.max(...group.map((hit) => hit.end));
  const around = folded.slice(Math.max(0, start - AROUND), end + AROUND).replace(/\S+[@/]\S+/g, ' ');
  const about = new Set(around.match(ABOUT) ?? []).size;
  if (isCode) return isAbout || about > 0 ? 0 : sum - 2;
  if (about > 0 && isQuoted(folded, start)) return 0;
  return about > 1 ? sum - about : sum;
}

/** Whether quotation marks stand close before it. */
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
  const gravest = group.reduce((one, other) => (other.signal.weight > one.signal.weight ? other : one));
  const grave = group.filter((hit) => hit.signal.weight === gravest.signal.weight);
  const from = sentenceStart(text, grave[0]!.start);
  const to = sentenceEnd(text, Math.max(...grave.map((hit) => hit.end)));
  return {
    kind: kindOf(group, gravest.signal.kind),
    where,
    quote: cutText(lineOf(text, gravest.start, sentenceEnd(text, gravest.end)), MAX_QUOTE).trim(),
    reading: cutText(text.slice(from, to).replace(/\s+/g, ' ').trim(), MAX_READING),
    ...(hiding !== undefined && { hiding }),
    confidence: Math.min(98, 55 + 8 * score),
  };
}

/** What it is after says more than how it begins. */
const GRAVITY: readonly InjectionKind[] = ['exfiltrate', 'tool', 'suppress'];
const kindOf = (group: readonly Hit[], otherwise: InjectionKind): InjectionKind =>
  GRAVITY.find((kind) => group.some(({ signal }) => signal.kind === kind && signal.weight > 1)) ?? otherwise;

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

/** From a place on, within its line, since a quote over several is found by nobody. */
function lineOf(text: string, start: number, end: number): string {
  const from = start + (/^[\s"'(>*#[\]:;,.!?-]*/.exec(text.slice(start, start + 20))?.[0].length ?? 0);
  const line = text.slice(from, Math.max(end, from + 1)).split('\n', 1)[0]!;
  return line;
}
