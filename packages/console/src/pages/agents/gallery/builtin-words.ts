interface Needs {
  needsBrowser: boolean;
  needsModel: 'none' | 'optional' | 'required';
}

export interface Need {
  text: string;
  tone: 'neutral' | 'good' | 'warn';
}

/** What a built-in agent needs, and whether it is there; the model is unknown while that is read. */
export function needsOf({ needsBrowser, needsModel }: Needs, hasModel: boolean | undefined): Need[] {
  const model: Need | undefined =
    needsModel === 'required'
      ? hasModel === false
        ? { text: 'Needs a model (none set up)', tone: 'warn' }
        : { text: 'Uses a model', tone: 'neutral' }
      : needsModel === 'optional'
        ? {
            text: hasModel === false ? 'By rule; more with a model' : 'By rule and with a model',
            tone: 'neutral',
          }
        : undefined;
  return [
    model ?? { text: 'Needs no model', tone: 'good' },
    ...(needsBrowser ? [] : [{ text: 'Needs no browser', tone: 'neutral' as const }]),
  ];
}

/** `broken-link` becomes `broken link`. */
export const wordsOf = (issueType: string): string => issueType.replaceAll('-', ' ');

const MOST_NAMED = 4;

/** What an agent finds, in one line. */
export function findsOf(issueTypes: readonly string[], addsOwn: boolean): string {
  // Every agent that reads text reports orders to assistants in it; that says nothing about the agent.
  const kinds = issueTypes.filter((type) => type !== 'page-injection').map(wordsOf);
  if (kinds.length === 0) return addsOwn ? 'Kinds of findings: named by the model' : '';
  const shown = kinds.slice(0, MOST_NAMED).join(', ');
  return kinds.length > MOST_NAMED
    ? `${kinds.length} kinds of findings, such as ${shown}`
    : `Kinds of findings: ${shown}`;
}
