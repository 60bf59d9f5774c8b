import { named, topics } from './judgment-topics.ts';

export interface SetJudgment {
  id: string;
  decision: string;
  reasoning: string;
  content: string;
}
export interface SetQuery {
  query: string;
  /** How well a judgment answers it: 3 best, absent not at all. */
  grades: Map<string, number>;
  part: 'choose' | 'measure';
  isNamed: boolean;
}

const judgments: SetJudgment[] = [];
const queries: SetQuery[] = [];

Object.entries(topics).forEach(([topic, issues], topicIndex) => {
  issues.forEach(([first, second, asks], index) => {
    const id = `${topic}-${index}`;
    for (const [at, [decision, reasoning, content]] of [first, second].entries())
      judgments.push({ id: `${id}-${at}`, decision, reasoning, content });
    for (const query of asks)
      queries.push({
        query,
        grades: new Map([
          [`${id}-0`, 3],
          [`${id}-1`, 1],
        ]),
        part: topicIndex % 2 === 0 ? 'choose' : 'measure',
        isNamed: false,
      });
  });
});

named.forEach(([decision, reasoning, content, names, asks], index) => {
  for (const [at, name] of names.entries()) {
    const id = `named-${index}-${at}`;
    const put = (text: string) =>
      text.replace('##', `#${name}`).replace('#', text.includes('##') ? '#' : name);
    judgments.push({ id, decision, reasoning: put(reasoning), content: put(content) });
    for (const ask of asks)
      queries.push({
        query: put(ask),
        grades: new Map([[id, 3]]),
        part: index % 2 === 0 ? 'choose' : 'measure',
        isNamed: true,
      });
  }
});

export const judgmentSet: { judgments: SetJudgment[]; queries: SetQuery[] } = { judgments, queries };
