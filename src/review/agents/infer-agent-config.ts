import { cutText } from '../../lib/text/cut-text.ts';
import { choosableStrategies } from '../gather/index.ts';
import { choosableServices } from '../services/index.ts';

/** How an agent gathers and who judges. */
export interface InferredConfig {
  strategies: string[];
  /** A service that needs no model; without it a model judges. */
  serviceId?: string;
  /** Why, as a sentence. */
  reason: string;
  /** False if the words ask for nothing in particular, so that the config is what suits most agents. */
  isCertain: boolean;
}

/** Instructions say at their beginning what they ask for, and long texts take long to match. */
const MAX_CHARS = 2_000;

/** The config of an agent whose instructions, or item of a checklist, are these words. */
export function inferAgentConfig(words: string): InferredConfig {
  const text = cutText(words, MAX_CHARS);
  const service = choosableServices.find(
    ({ choice: { askedBy, unless } }) => askedBy.test(text) && !unless.test(text),
  );
  if (service) {
    const { strategies, reason } = service.choice;
    return { serviceId: service.id, strategies: [...strategies], reason, isCertain: true };
  }
  const asked = choosableStrategies.filter(({ choice }) => choice.askedBy?.test(text));
  if (asked.length === 0) {
    return {
      strategies: ['web-page-text', 'web-page-html'],
      reason: 'Nothing says what to look at, so text and HTML of the page are.',
      isCertain: false,
    };
  }
  // A picture or a stylesheet alone does not show where on the page a finding is.
  const canLocate =
    asked.some(({ choice }) => choice.locates === 'elements') ||
    asked.every(({ choice }) => choice.locates === 'site');
  const strategies = [...(canLocate ? [] : ['web-page-html']), ...asked.map(({ name }) => name)];
  return {
    strategies,
    reason: `The instructions speak of what ${strategies.join(', ')} ${strategies.length === 1 ? 'shows' : 'show'}.`,
    isCertain: true,
  };
}
