import type { Redpen } from '@redpen/client';
import { discardPlace, makePlace, placeOf } from './trial.ts';

/** Built-in agents that need no model, those first that say the most about a page on first sight. */
const CANDIDATES = [
  'accessibility-checker',
  'broken-links',
  'spell-check',
  'og-image-checker',
  'lighthouse',
  'lorem-ipsum',
  'sensitive-data',
  'profanity-filter',
];
const AGENTS = 5;

export interface TrialAgent {
  id: string;
  name: string;
  description: string;
}

/** The five agents of a first review, as far as they can run. */
export async function trialAgents(redpen: Redpen, signal?: AbortSignal): Promise<TrialAgent[]> {
  const { agents } = await redpen.agents.builtin({}, { signal });
  return CANDIDATES.flatMap((id) => agents.find((agent) => agent.id === id) ?? [])
    .filter(({ enabled, available, needsModel }) => enabled && available && needsModel !== 'required')
    .slice(0, AGENTS);
}

/** Reviews one page with these agents, on a document that is made for it; returns the id of the review. */
export async function startTrial(
  redpen: Redpen,
  address: string,
  agents: readonly string[],
): Promise<string> {
  const place = placeOf(address);
  const isNew = await makePlace(redpen, place, address);
  try {
    const { reviewId } = await redpen.reviews.run({
      urls: [address],
      agents,
      ...place,
      screenshots: 'all',
    });
    return reviewId!;
  } catch (error) {
    // A refused address leaves nothing behind.
    if (isNew) await discardPlace(redpen, place).catch(() => {});
    throw error;
  }
}
