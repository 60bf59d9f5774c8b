import { asList, type Fields } from '../../lib/json.ts';
import { DEFAULT_SETTINGS } from '../../shapes/notification-config.ts';
import type { ChosenSettings } from '../../store/webhooks/event-facts.ts';

/** Limit of the people whose notification settings a message includes. */
const MAX_PEOPLE = 100;

/** User ids of the authors, the assignee and the mentioned people of a change, without agents. */
export function concernedPeople({
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
    userIdOf(commentAnnotation.from),
    userIdOf(commentAnnotation.assignedTo),
    userIdOf(targetComment?.from),
    ...asList(targetComment?.taggedUserContacts).map(userIdOf),
    ...asList(commentAnnotation.mentionedUserIds),
    ...asList(commentAnnotation.involvedUserIds),
  ].filter((userId): userId is string => typeof userId === 'string' && !isAgent(userId));
  return [...new Set(userIds)].slice(0, MAX_PEOPLE);
}

/**
 * The notification settings of these people as a field of a message. If any of them has settings for the document,
 * those are sent for all of them; otherwise those for the organization.
 */
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

const userIdOf = (person: unknown): unknown => (person as Fields | null | undefined)?.userId;
