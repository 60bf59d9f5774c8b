import { accessibilityChecker } from './accessibility-service.ts';
import { brokenLinks } from './broken-links-service.ts';
import { crawler } from './crawler-service.ts';
import { lighthouse } from './lighthouse-service.ts';
import { loremIpsum } from './lorem-ipsum-service.ts';
import { ogImageChecker } from './og-image-service.ts';
import { piiDetection } from './pii-service.ts';
import { profanityFilter } from './profanity-service.ts';
import type { Service, ServiceChoice } from './review-service.ts';
import { screenshot } from './screenshot-service.ts';
import { sensitiveData } from './sensitive-data-service.ts';
import { spellCheck } from './spelling-service.ts';

export const services: readonly Service[] = [
  ...[brokenLinks, crawler, screenshot, accessibilityChecker, ogImageChecker],
  ...[spellCheck, loremIpsum, piiDetection, sensitiveData, profanityFilter, lighthouse],
];

/** Ids that `execution.serviceId` of a customer's agent may hold. */
export const publicServiceIds: readonly string[] = services
  .filter(({ isPublic }) => isPublic)
  .map(({ id }) => id);

type ChoosableService = Service & { choice: ServiceChoice };

/** Services that the authoring tools choose from. */
export const choosableServices: readonly ChoosableService[] = services.filter(
  (service): service is ChoosableService => service.choice !== undefined,
);

export const choosableService = (id: unknown): ChoosableService | undefined =>
  choosableServices.find((service) => service.id === id);
