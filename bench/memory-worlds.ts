import { DAY_MS } from '../src/lib/day.ts';
import type { Topic } from './memory-topics.ts';

export type Side = 'approve' | 'reject';
export type Manner = 'agreeing' | 'split' | 'drifting' | 'silent';

export interface WorldSettings {
  seed: number;
  /** Probability that a reviewer decides for the side they support. */
  faith: number;
  reviewers: number;
  /** Number of judgments of a topic that is not `silent`. */
  judgments: readonly [min: number, max: number];
  /** Maximum age of the judgments, in days. */
  days: number;
  /** Share of the judgments of a `drifting` topic that come after the change of mind. */
  afterChange: number;
  /** Share of the judgments without content, whose reasoning names the subject instead. */
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
  /** The side that the reviewers support now; undefined if they are split. */
  right: Side | undefined;
  /** Probability that the next decision is an approval. */
  approve: number;
  /** A decision drawn with this probability. */
  next: Side;
}

export interface World {
  judgments: ScriptedJudgment[];
  questions: Question[];
}

const MANNERS: readonly Manner[] = ['agreeing', 'split', 'drifting', 'silent'];

/** Pseudorandom numbers from 0 to 1, reproducible by their seed. */
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
  (text: string) => text,
  (text: string) => `On this page ${text}.`,
  (text: string) => `Finding: ${text}`,
  (text: string) => `${text}, please check`,
];
const QUESTIONS = [
  (text: string) => text,
  (text: string) => `Should this be fixed: ${text}?`,
  (text: string) => `We noticed that ${text}.`,
];

/** Judgments of scripted reviewers, each topic in one of four manners, and questions on it in other words. */
export function makeWorld(topics: readonly Topic[], settings: WorldSettings, now: number): World {
  const random = dice(settings.seed);
  const randomBelow = (count: number) => Math.floor(random() * count);
  const pick = <T>(list: readonly T[], count = list.length): T => list[randomBelow(count)]!;
  const [min, max] = settings.judgments;
  const judgments: ScriptedJudgment[] = [];
  const questions: Question[] = [];
  for (const [index, topic] of topics.entries()) {
    const manner = MANNERS[(index + settings.seed) % MANNERS.length]!;
    const side: Side = random() < 0.5 ? 'approve' : 'reject';
    const count = manner === 'silent' ? randomBelow(2) : min + randomBelow(max - min + 1);
    const changeAt = Math.max(2, count - Math.max(2, Math.round(count * settings.afterChange)));
    const ages = Array.from({ length: count }, () => random() * settings.days).sort((a, b) => b - a);
    for (const [position, age] of ages.entries()) {
      // A reviewer of a split topic always supports the same side: even numbers one side, odd numbers the other.
      const reviewer =
        manner === 'split'
          ? (position + randomBelow(2) * 2) % settings.reviewers
          : randomBelow(settings.reviewers);
      const sideOfReviewer =
        manner === 'split'
          ? reviewer % 2 === 0
            ? side
            : other(side)
          : manner === 'drifting' && position < changeAt
            ? other(side)
            : side;
      const chosenSide = random() < settings.faith ? sideOfReviewer : other(sideOfReviewer);
      const subject = pick(FRAMES)(`${pick(topic.things, 3)} ${pick(topic.faults, 3)}`);
      const reason = pick(topic[chosenSide]);
      const hasNoContent = random() < settings.withoutContent;
      judgments.push({
        id: `${index}-${position}`,
        decision:
          chosenSide === 'approve'
            ? pick(['approve', 'approve', 'agree'])
            : pick(['reject', 'reject', 'disagree']),
        reasoning: hasNoContent ? `${subject}: ${reason}` : reason,
        ...(!hasNoContent && { content: subject }),
        actionUser: { userId: `reviewer-${reviewer}`, name: `Reviewer ${reviewer}` },
        createdAt: Math.round(now - age * DAY_MS),
      });
    }
    const approvalOfSide = manner === 'split' ? 0.5 : settings.faith;
    const approve = side === 'approve' ? approvalOfSide : 1 - approvalOfSide;
    for (const [thing, fault] of [
      [3, 3],
      [3, randomBelow(3)],
      [randomBelow(3), 3],
    ] as const) {
      questions.push({
        query: pick(QUESTIONS)(`${topic.things[thing]} ${topic.faults[fault]}`),
        topic: index,
        manner,
        right: manner === 'split' ? undefined : side,
        approve,
        next: random() < approve ? 'approve' : 'reject',
      });
    }
  }
  return { judgments, questions };
}

export interface Answered {
  question: Question;
  /** Null if there was no recommendation. */
  recommended: Side | null;
  confidence: number;
  conflict: boolean;
}

/** Expected calibration error of confidences, in ten bins. */
export function calibrationError(predictions: readonly { confidence: number; right: number }[]): number {
  const bins = Map.groupBy(predictions, ({ confidence }) => Math.min(9, Math.floor(confidence * 10)));
  return [...bins.values()].reduce((sum, bin) => {
    const mean = (numberOf: (prediction: (typeof bin)[number]) => number) =>
      bin.reduce((sum, prediction) => sum + numberOf(prediction), 0) / bin.length;
    return (
      sum +
      (Math.abs(mean(({ confidence }) => confidence) - mean(({ right }) => right)) * bin.length) /
        predictions.length
    );
  }, 0);
}

const share = (part: readonly unknown[], whole: readonly unknown[]): number =>
  whole.length === 0 ? Number.NaN : part.length / whole.length;

/** Scores of the answers, each a share from 0 to 1. */
export function scoresOf(answers: readonly Answered[]): Record<string, number> {
  const byManner = (...manners: Manner[]) =>
    answers.filter(({ question }) => manners.includes(question.manner));
  const given = (list: readonly Answered[]) => list.filter(({ recommended }) => recommended !== null);
  const sided = given(byManner('agreeing', 'drifting'));
  const isRight = ({ recommended, question }: Answered) => recommended === question.right;
  const conflicting = answers.filter(({ conflict }) => conflict);
  const chance = ({ recommended, question }: Answered) =>
    recommended === 'approve' ? question.approve : 1 - question.approve;
  return {
    answered: share(
      given(byManner('agreeing', 'drifting', 'split')),
      byManner('agreeing', 'drifting', 'split'),
    ),
    'right, agreeing': share(given(byManner('agreeing')).filter(isRight), given(byManner('agreeing'))),
    'right, drifting': share(given(byManner('drifting')).filter(isRight), given(byManner('drifting'))),
    'error, to the next decision': calibrationError(
      given(answers).map((answer) => ({ confidence: answer.confidence, right: chance(answer) })),
    ),
    'error, to the supported side': calibrationError(
      sided.map((answer) => ({ confidence: answer.confidence, right: Number(isRight(answer)) })),
    ),
    'error, both': calibrationError(
      given(answers).map((answer) => ({
        confidence: answer.confidence,
        right: answer.question.right === undefined ? 0.5 : Number(isRight(answer)),
      })),
    ),
    'conflict, of split': share(
      byManner('split').filter(({ conflict }) => conflict),
      given(byManner('split')),
    ),
    'conflict, of agreeing': share(
      byManner('agreeing').filter(({ conflict }) => conflict),
      given(byManner('agreeing')),
    ),
    'conflict, of drifting': share(
      byManner('drifting').filter(({ conflict }) => conflict),
      given(byManner('drifting')),
    ),
    'conflict is split or drift': share(
      conflicting.filter(({ question }) => ['split', 'drifting'].includes(question.manner)),
      conflicting,
    ),
    'null, of silent': share(
      byManner('silent').filter(({ recommended }) => recommended === null),
      byManner('silent'),
    ),
  };
}
