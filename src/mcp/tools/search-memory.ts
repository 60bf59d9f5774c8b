import { z } from 'zod';
import type {
  MemoryKnowledgeSearchResult,
  MemorySearchResult,
} from '../../../packages/client/src/operations.ts';
import { shorten } from '../../lib/text/cut-text.ts';
import { fits } from '../text/answer.ts';
import { dataBlock, shownLine } from '../text/data-block.ts';
import { dayOf } from '../text/finding-text.ts';
import { place } from './list-findings.ts';
import { READS, tool } from './tool.ts';

type JudgmentFound = MemorySearchResult['results'][number];
type KnowledgeFound = MemoryKnowledgeSearchResult['results'][number];

const MAX_RESULTS = 10;

const whoOf = ({ actionUser, judgeType, agent }: JudgmentFound): string => {
  const name = shorten(shownLine(actionUser.name || actionUser.userId), 60);
  if (judgeType === 'human') return name;
  const { agentName, isAssistant } = (agent ?? {}) as { agentName?: unknown; isAssistant?: unknown };
  if (typeof agentName !== 'string') return `${name}, by an agent`;
  return `${name}, by the ${isAssistant === true ? 'assistant' : 'agent'} ${shorten(shownLine(agentName), 60)}`;
};

const judgmentLine = (judgment: JudgmentFound): string => {
  const { decision, createdAt, reasoning, content } = judgment;
  const about = content ? ` | about: ${shorten(shownLine(content), 200)}` : '';
  return `- ${decision} by ${whoOf(judgment)}, ${dayOf(createdAt)}: ${shorten(shownLine(reasoning), 300)}${about}`;
};

const knowledgeLine = ({ kind, category, text }: KnowledgeFound): string =>
  `- ${kind ?? 'text'}${category ? ` (${shorten(shownLine(category), 60)})` : ''}: ${shorten(shownLine(text), 400)}`;

/** The first results of both, the one that has fewer leaving its room to the other. */
function shareOf<A, B>(some: readonly A[], others: readonly B[], most: number): [A[], B[]] {
  const half = Math.ceil(most / 2);
  const ofSome = some.slice(0, Math.max(half, most - others.length));
  return [ofSome, others.slice(0, most - ofSome.length)];
}

export const searchMemory = tool({
  name: 'search_memory',
  title: 'Search the memory',
  description:
    'What was decided earlier, with who and when, and rules of the uploaded knowledge. What an agent or assistant decided is marked, and is no precedent.',
  input: z
    .strictObject({
      query: z.string().trim().min(1).max(2_000),
      ...place,
      limit: z.int().min(1).max(MAX_RESULTS).default(MAX_RESULTS),
    })
    .refine(({ organizationId, documentId }) => documentId === undefined || organizationId !== undefined, {
      path: ['organizationId'],
      error: 'is required with documentId',
    }),
  annotations: READS,
  async run({ query, limit, ...place }, { service }) {
    const [judged, known] = await Promise.all([
      service.call('/v2/memory/search', { query, limit: 5 * limit, ...place }),
      service.call('/v2/memory/knowledge/search', { query, limit, includeRules: true }),
    ]);
    // What an agent found is no decision on it.
    const decisions = judged.results.filter(({ origin }) => origin !== 'finding');
    const [judgments, knowledge] = shareOf(decisions, known.results, limit);
    if (judgments.length + knowledge.length === 0)
      return {
        text: 'The memory has nothing on this. Ask the person, and note the decision with decide or reply.',
      };
    const linesOf = (decided: readonly JudgmentFound[], rules: readonly KnowledgeFound[]) => [
      ...(decided.length > 0 ? ['Decisions:', ...decided.map(judgmentLine)] : []),
      ...(rules.length > 0 ? ['Knowledge:', ...rules.map(knowledgeLine)] : []),
    ];
    const answer = {
      text: dataBlock('the memory', linesOf(judgments, knowledge).join('\n')),
      structured: {
        decisions: judgments.map(({ recordId, decision, createdAt, judgeType, similarity }) => ({
          recordId,
          decision,
          judgeType,
          createdAt,
          similarity,
        })),
      },
    };
    return fits(answer) ? answer : { text: answer.text };
  },
});
