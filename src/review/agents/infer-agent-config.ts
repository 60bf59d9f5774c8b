import { cutText } from '../../lib/text/cut-text.ts';
import { choosableStrategies } from '../gather/index.ts';
import { choosableServices } from '../services/index.ts';

/** Gather strategies and reviewer of an agent. */
export interface InferredConfig {
  strategies: string[];
  /** A service that needs no model; without it a model judges. */
  serviceId?: string;
  /** Reason for the choice, as a sentence. */
  reason: string;
  /** False if the words ask for nothing in particular; the config then is the one that suits most agents. */
  isCertain: boolean;
}

/** Only the beginning is matched: it says what the instructions ask for, and long texts take long to match. */
const MAX_CHARS = 2_000;

/** Infers the config of an agent from its instructions or from an item of a checklist. */
export function inferAgentConfig(words: string): InferredConfig {
  const text = cutText(words, MAX_CHARS);
  const service = choosableServices.find(
    ({ choice: { askedBy, unless } }) => askedBy.test(text) && !unless.test(text),
  );
  if (service) {
    const { strategies, reason } = service.choice;
    return { serviceId: service.id, strategies: [...strategies], reason, isCertain: true };
  }
  const matching = choosableStrategies.filter(({ choice }) => choice.askedBy?.test(text));
  if (matching.length === 0) {
    return {
      strategies: ['web-page-text', 'web-page-html'],
      reason: 'Nothing says what to look at, so text and HTML of the page are.',
      isCertain: false,
    };
  }
  // From a picture or a stylesheet alone, a finding cannot be located on the page.
  const canLocate =
    matching.some(({ choice }) => choice.locates === 'elements') ||
    matching.every(({ choice }) => choice.locates === 'site');
  const strategies = [...(canLocate ? [] : ['web-page-html']), ...matching.map(({ name }) => name)];
  return {
    strategies,
    reason: `The instructions speak of what ${strategies.join(', ')} ${strategies.length === 1 ? 'shows' : 'show'}.`,
    isCertain: true,
  };
}
