import type { Models } from '../../outside/models/models.ts';
import { followsLinks, isCrossPage, isEnabled, type Run, screenshotsOf } from '../core/run-state.ts';
import { worksWithoutModel } from '../execute/service-ai.ts';
import type { GatherInput } from '../gather/gather.ts';
import { restApi } from '../gather/rest-api.ts';
import { webPageLinks } from '../gather/web-page-links.ts';
import { services } from '../services/index.ts';

export interface GatheringPlan extends Pick<GatherInput, 'keepOpen'> {
  strategies: readonly string[];
  /** Strategies that the agent asks for and whose data would have no reader. */
  unread: readonly string[];
  /** True if nothing but the links of the page is read, for which most pages need no browser. */
  linksAlone: boolean;
}

/**
 * Decides what is gathered: all that the agent asks for if a model or a comparison of pages reads it, and otherwise what
 * its service reads. The page stays open afterwards only for a service that ends soon: a model may think for minutes,
 * and other runs need the browser meanwhile.
 */
export function planGathering(run: Run, models: Pick<Models, 'configured'>): GatheringPlan {
  const { contextGathering = {}, execution = {}, postProcess = {} } = run.behavior;
  const { strategies = ['none'] } = contextGathering;
  const service = services.find(({ id }) => id === execution.serviceId);
  const worksAlone =
    execution.executionStrategy === 'service' ||
    (execution.executionStrategy === 'service+ai' && worksWithoutModel(execution, models));
  if (!worksAlone || !service) return { strategies, unread: [], linksAlone: false };
  const screenshots = screenshotsOf(run);
  const isLookedAt = isEnabled(postProcess.pinResolution) || screenshots !== 'none';
  // A service that loads what was not gathered would wait for a slot of the browser while its page occupies one.
  const isSufficient = service.isQuick && service.reads.every((name) => strategies.includes(name));
  const whole = screenshots === 'all' ? 'always' : 'if-complete';
  const keepOpen = isLookedAt && isSufficient ? whole : undefined;
  if (isCrossPage(run.behavior)) return { strategies, unread: [], keepOpen, linksAlone: false };
  // The endpoints of a REST API are called for each page, since a call may have effects.
  const read = new Set([...service.reads, restApi.name, ...(followsLinks(run) ? [webPageLinks.name] : [])]);
  const planned = strategies.filter((name) => read.has(name));
  return {
    strategies: planned,
    linksAlone: planned.join() === webPageLinks.name && service.reads.every((name) => planned.includes(name)),
    unread: strategies.filter((name) => name !== 'none' && !read.has(name)),
    keepOpen,
  };
}
