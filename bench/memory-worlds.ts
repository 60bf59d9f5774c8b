import { DAY_MS } from '../src/lib/day.ts';
import type { Topic } from './memory-topics.ts';

export type Side = 'approve' | 'reject';
export type Manner = 'agreeing' | 'split' | 'drifting' | 'silent';

export interface WorldSettings {
  seed: number;
  /** How often a reviewer does what they stand for. */
  faith: number;
  reviewers: number;
  /** How many judgments a topic has that is not silent. */
  judgments: readonly [least: number, most: number];
  /** How far back they go. */
  days: number;
  /** Of the drifting ones, how many came after the change. */
  afterChange: number;
  /** Of the judgments, how many tell only their reasoning. */
  withoutContent: number;
}

export interface ScriptedJudgment {
  id: string;
  decision: string;
  reasoning: string;
  content?: string;
  actionUser: { userId: string; name: string };
  createdAt: number;
}

export interface Question {
  query: string;
  topic: number;
  manner: Manner;
  /** The side that holds now; undefined where reviewers are split. */
  right: Side | undefined;
  /** How likely the next decision is to approve. */
  approve: number;
  /** Drawn from it. */
  next: Side;
}

export interface World {
  judgments: ScriptedJudgment[];
  questions: Question[];
}

const MANNERS: readonly Manner[] = ['agreeing', 'split', 'drifting', 'silent'];

/** Numbers from 0 to 1, the same for the same seed. */
export function dice(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

const other = (side: Side): Side => (side === 'approve' ? 'reject' : 'approve');

const FRAMES = [
  (it: string) => it,
  (it: string) => `On this page ${it}.`,
  (it: string) => `Finding: ${it}`,
  (it: string) => `${it}, please check`,
];
const QUESTIONS = [
  (it: string) => it,
  (it: string) => `Should this be fixed: ${it}?`,
  (it: string) => `We noticed that ${it}.`,
];

/** Scripted reviewers of topics, each topic in one of four manners, and what is asked of each in other words. */
export function makeWorld(topics: readonly Topic[], settings: WorldSettings, now: number): World {
  const roll = dice(settings.seed);
  const below = (count: number) => Math.floor(roll() * count);
  const of = <T>(list: readonly T[], count = list.length): T => list[below(count)]!;
  const [least, most] = settings.judgments;
  const judgments: ScriptedJudgment[] = [];
  const questions: Question[] = [];
  for (const [index, topic] of topics.entries()) {
    const manner = MANNERS[(index + settings.seed) % MANNERS.length]!;
    const side: Side = roll() < 0.5 ? 'approve' : 'reject';
    const count = manner === 'silent' ? below(2) : least + below(most - least + 1);
    const changeAt = Math.max(2, count - Math.max(2, Math.round(count * settings.afterChange)));
    const ages = Array.from({ length: count }, () => roll() * settings.days).sort((one, two) => two - one);
    for (const [place, age] of ages.entries()) {
      // Camps are people, not chance: the even ones stand for one side, the odd ones for the other.
      const reviewer =
        manner === 'split' ? (place + below(2) * 2) % settings.reviewers : below(settings.reviewers);
      const stands =
        manner === 'split'
          ? reviewer % 2 === 0
            ? side
            : other(side)
          : manner === 'drifting' && place < changeAt
            ? other(side)
            : side;
      const decides = roll() < settings.faith ? stands : other(stands);
      const what = of(FRAMES)(`${of(topic.things, 3)} ${of(topic.faults, 3)}`);
      const why = of(topic[decides]);
      const bare = roll() < settings.withoutContent;
      judgments.push({
        id: `${index}-${place}`,
        decision:
          decides === 'approve' ? of(['approve', 'approve', 'agree']) : of(['reject', 'reject', 'disagree']),
        reasoning: bare ? `${what}: ${why}` : why,
        ...(!bare && { content: what }),
        actionUser: { userId: `reviewer-${reviewer}`, name: `Reviewer ${reviewer}` },
        createdAt: Math.round(now - age * DAY_MS),
      });
    }
    const towards = manner === 'split' ? 0.5 : settings.faith;
    const approve = side === 'approve' ? towards : 1 - towards;
    for (const [thing, fault] of [
      [3, 3],
      [3, below(3)],
      [below(3), 3],
    ] as const) {
      questions.push({
        query: of(QUESTIONS)(`${topic.things[thing]} ${topic.faults[fault]}`),
        topic: index,
        manner,
        right: manner === 'split' ? undefined : side,
        approve,
        next: roll() < approve ? 'approve' : 'reject',
      });
    }
  }
  return { judgments, questions };
}

export interface Answered {
  question: Question;
  /** Null where nothing was recommended. */
  recommended: Side | null;
  confidence: number;
  conflict: boolean;
}

/** How far confidence is from what came of it, in ten bins. */
export function calibrationError(said: readonly { confidence: number; right: number }[]): number {
  const bins = Map.groupBy(said, ({ confidence }) => Math.min(9, Math.floor(confidence * 10)));
  return [...bins.values()].reduce((sum, bin) => {
    const mean = (of: (one: (typeof bin)[number]) => number) =>
      bin.reduce((s, one) => s + of(one), 0) / bin.length;
    return (
      sum + (Math.abs(mean((one) => one.confidence) - mean((one) => one.right)) * bin.length) / said.length
    );
  }, 0);
}

const share = (some: readonly unknown[], all: readonly unknown[]): number =>
  all.length === 0 ? Number.NaN : some.length / all.length;

/** What answers are worth, each a share of 1. */
export function scoresOf(answers: readonly Answered[]): Record<string, number> {
  const of = (...manners: Manner[]) => answers.filter(({ question }) => manners.includes(question.manner));
  const given = (some: readonly Answered[]) => some.filter(({ recommended }) => recommended !== null);
  const sided = given(of('agreeing', 'drifting'));
  const isRight = ({ recommended, question }: Answered) => recommended === question.right;
  const conflicting = answers.filter(({ conflict }) => conflict);
  const chance = ({ recommended, question }: Answered) =>
    recommended === 'approve' ? question.approve : 1 - question.approve;
  return {
    answered: share(given(of('agreeing', 'drifting', 'split')), of('agreeing', 'drifting', 'split')),
    'right, agreeing': share(given(of('agreeing')).filter(isRight), given(of('agreeing'))),
    'right, drifting': share(given(of('drifting')).filter(isRight), given(of('drifting'))),
    'error, to the next decision': calibrationError(
      given(answers).map((one) => ({ confidence: one.confidence, right: chance(one) })),
    ),
    'error, to what holds': calibrationError(
      sided.map((one) => ({ confidence: one.confidence, right: Number(isRight(one)) })),
    ),
    'error, both': calibrationError(
      given(answers).map((one) => ({
        confidence: one.confidence,
        right: one.question.right === undefined ? 0.5 : Number(isRight(one)),
      })),
    ),
    'conflict, of split': share(
      of('split').filter(({ conflict }) => conflict),
      given(of('split')),
    ),
    'conflict, of agreeing': share(
      of('agreeing').filter(({ conflict }) => conflict),
      given(of('agreeing')),
    ),
    'conflict, of drifting': share(
      of('drifting').filter(({ conflict }) => conflict),
      given(of('drifting')),
    ),
    'conflict is split or drift': share(
      conflicting.filter(({ question }) => ['split', 'drifting'].includes(question.manner)),
      conflicting,
    ),
    'null, of silent': share(
      of('silent').filter(({ recommended }) => recommended === null),
      of('silent'),
    ),
  };
}
