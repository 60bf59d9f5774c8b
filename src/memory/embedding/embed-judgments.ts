import { wordsOf } from '../../lib/text/search-words.ts';
import { type Embedder, EmbedFailure } from '../../outside/embed/vectors/embedder.ts';
import type {
  EmbeddedJudgment,
  JudgmentWords,
  UnembeddedJudgment,
} from '../../store/memory/judgment-embedding.ts';
import { directionOf } from '../../store/memory/stored-vectors.ts';
import { searchableText, type TextKind } from './searchable-text.ts';

interface Text {
  judgment: UnembeddedJudgment;
  kind: TextKind;
  text: string;
}

/** A harmless text: if the model rejects it, the model is broken and not the text. */
const PLAIN = 'The headline is too long.';

const textsOf = (judgment: UnembeddedJudgment): Text[] =>
  (['review', 'content'] as const).flatMap((kind) => {
    const text = searchableText(judgment, kind);
    return text === null ? [] : [{ judgment, kind, text }];
  });

/** The words of a judgment's texts. */
export function wordsIn(judgment: UnembeddedJudgment): JudgmentWords {
  const { apiKeyId, judgmentId, recordedAt } = judgment;
  const content = searchableText(judgment, 'content');
  return {
    apiKeyId,
    judgmentId,
    recordedAt,
    review: wordsOf(searchableText(judgment, 'review') ?? ''),
    content: content === null ? undefined : wordsOf(content),
  };
}

/**
 * Vectors and words of judgments. A judgment whose text the model rejects gets words alone and does not hold up the
 * others. Throws `EmbedFailure` if nothing can be embedded.
 */
export async function embedJudgments(
  embedder: Embedder,
  judgments: readonly UnembeddedJudgment[],
  signal: AbortSignal,
): Promise<EmbeddedJudgment[]> {
  const texts = judgments.flatMap(textsOf);
  // Many decisions come without a reason, and equal texts have equal vectors.
  const distinct = [...new Map(texts.map((one) => [one.text, one])).values()];
  const windows = await embedSome(embedder, distinct, signal);
  const windowsOf = new Map(distinct.map(({ text }, index) => [text, windows[index] ?? []]));
  const byJudgment = new Map<UnembeddedJudgment, EmbeddedJudgment['vectors']>();
  for (const { judgment, kind, text } of texts) {
    const vectors = windowsOf.get(text)!.map((vector, windowIndex) => ({
      kind,
      windowIndex,
      embedding: directionOf(vector),
    }));
    byJudgment.set(judgment, [...(byJudgment.get(judgment) ?? []), ...vectors]);
  }
  return judgments.map((judgment) => ({ ...wordsIn(judgment), vectors: byJudgment.get(judgment) ?? [] }));
}

/**
 * Vectors of each text; none for a text that is rejected. Finds the rejected text by its place if the provider names
 * it, otherwise by bisection.
 */
async function embedSome(
  embedder: Embedder,
  texts: readonly Text[],
  signal: AbortSignal,
): Promise<Float32Array[][]> {
  if (texts.length === 0) return [];
  try {
    return await embedder.embed(
      texts.map(({ text }) => text),
      { signal },
    );
  } catch (error) {
    if (!(error instanceof EmbedFailure) || error.kind !== 'rejected') throw error;
    const { place } = error;
    if (place !== undefined && place < texts.length) {
      const others = await embedSome(embedder, [...texts.slice(0, place), ...texts.slice(place + 1)], signal);
      return [...others.slice(0, place), [], ...others.slice(place)];
    }
    if (texts.length === 1) {
      await embedder.embed([PLAIN], { signal });
      return [[]];
    }
    const half = Math.ceil(texts.length / 2);
    return [
      ...(await embedSome(embedder, texts.slice(0, half), signal)),
      ...(await embedSome(embedder, texts.slice(half), signal)),
    ];
  }
}
