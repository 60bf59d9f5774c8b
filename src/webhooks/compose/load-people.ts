import { asList, type Fields } from '../../lib/json.ts';
import { DEFAULT_SETTINGS } from '../../shapes/notification-config.ts';
import type { ChosenSettings } from '../../store/webhooks/event-facts.ts';

/** Of how many people a message tells what they want to hear of. */
const MAX_PEOPLE = 100;

/** Whom a change of an annotation concerns: who wrote in it, has it as a task or is mentioned. No agents. */
export function peopleIn({
  commentAnnotation,
  targetComment,
}: {
  commentAnnotation: Fields;
  targetComment?: Fields | undefined;
}): string[] {
  const agents = [commentAnnotation, targetComment].map((record) => record?.agent as Fields | undefined);
  const isAgent = (userId: string) =>
    agents.some((agent) => agent && (agent.agentId === userId || agent.agentName === userId));
  const userIds = [
    idOf(commentAnnotation.from),
    idOf(commentAnnotation.assignedTo),
    idOf(targetComment?.from),
    ...asList(targetComment?.taggedUserContacts).map(idOf),
    ...asList(commentAnnotation.mentionedUserIds),
    ...asList(commentAnnotation.involvedUserIds),
  ].filter((userId): userId is string => typeof userId === 'string' && !isAgent(userId));
  return [...new Set(userIds)].slice(0, MAX_PEOPLE);
}

/** What these people want to hear of: on the document where any of them chose so for it, else in the organization. */
export function notificationsConfigOf(
  userIds: readonly string[],
  chosen: ReadonlyMap<string, ChosenSettings> | undefined,
): Fields {
  if (userIds.length === 0) return {};
  const onDocument = userIds.some((userId) => chosen?.get(userId)?.document !== undefined);
  const settings = userIds.map((userId) => {
    const { organization, document } = chosen?.get(userId) ?? {};
    const { inbox, email } = { ...DEFAULT_SETTINGS, ...organization, ...(onDocument && document) };
    return [userId, { inbox, email }];
  });
  return {
    [onDocument ? 'usersDocumentNotificationsConfig' : 'usersOrganizationNotificationsConfig']:
      Object.fromEntries(settings),
  };
}

const idOf = (person: unknown): unknown => (person as Fields | null | undefined)?.userId;
