import { issuesWithNames, topics } from './judgment-topics.ts';

export interface SetJudgment {
  id: string;
  decision: string;
  reasoning: string;
  content: string;
}
export interface SetQuery {
  query: string;
  /** Relevance by judgment id; 3 is the best, and a judgment without a grade is irrelevant. */
  grades: Map<string, number>;
  part: 'tune' | 'test';
  hasName: boolean;
}

const judgments: SetJudgment[] = [];
const queries: SetQuery[] = [];

Object.entries(topics).forEach(([topic, issues], topicIndex) => {
  issues.forEach(([first, second, phrasings], index) => {
    const id = `${topic}-${index}`;
    for (const [at, [decision, reasoning, content]] of [first, second].entries())
      judgments.push({ id: `${id}-${at}`, decision, reasoning, content });
    for (const query of phrasings)
      queries.push({
        query,
        grades: new Map([
          [`${id}-0`, 3],
          [`${id}-1`, 1],
        ]),
        part: topicIndex % 2 === 0 ? 'tune' : 'test',
        hasName: false,
      });
  });
});

issuesWithNames.forEach(([decision, reasoning, content, names, phrasings], index) => {
  for (const [at, name] of names.entries()) {
    const id = `named-${index}-${at}`;
    const insertName = (text: string) =>
      text.replace('##', `#${name}`).replace('#', text.includes('##') ? '#' : name);
    judgments.push({ id, decision, reasoning: insertName(reasoning), content: insertName(content) });
    for (const phrasing of phrasings)
      queries.push({
        query: insertName(phrasing),
        grades: new Map([[id, 3]]),
        part: index % 2 === 0 ? 'tune' : 'test',
        hasName: true,
      });
  }
});

export const judgmentSet: { judgments: SetJudgment[]; queries: SetQuery[] } = { judgments, queries };
