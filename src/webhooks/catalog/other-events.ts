import { z } from 'zod';
import { type EventName, events } from '../../events/event-catalog.ts';
import { person } from './comment-events.ts';

interface EventEntry {
  description: string;
  source: string;
  actionType: string;
  /** Sent only to endpoints whose filter names the event. */
  optIn?: true;
  data: z.ZodObject;
}

/*
 * The data of an event is its payload; text and names are optional, because data protection and truncation remove
 * them.
 */

const user = events['user.add'].partial({ accessRole: true });

const always = {
  'document.add': {
    description: 'A document was added, by itself or with what was written on it.',
    source: 'document',
    actionType: 'added',
    data: events['document.add'].partial({ documentName: true }),
  },
  'document.update': {
    description:
      'A document got another name, folder, access type or other metadata, or was switched on or off.',
    source: 'document',
    actionType: 'updated',
    data: events['document.update'].partial({ documentName: true }),
  },
  'document.delete': {
    description: 'A document was deleted, with all that was on it.',
    source: 'document',
    actionType: 'deleted',
    data: events['document.delete'],
  },
  'document.migrate': {
    description: 'A document got another id, or came to another document, with all that was on it.',
    source: 'document',
    actionType: 'migrated',
    data: events['document.migrate'],
  },
  'user.add': {
    description: 'A user was added to an organization, or to a folder or document of it.',
    source: 'user',
    actionType: 'added',
    data: user,
  },
  'user.update': {
    description: 'A user changed.',
    source: 'user',
    actionType: 'updated',
    data: user,
  },
  'user.delete': {
    description: 'A user was taken out of an organization, folder or document.',
    source: 'user',
    actionType: 'deleted',
    data: events['user.delete'],
  },
  'notification.add': {
    description: 'A notification was added.',
    source: 'notification',
    actionType: 'added',
    data: events['notification.add'].extend({
      notification: z.looseObject({ id: z.string(), actionUser: person.optional() }),
    }),
  },
  'agent_execution.completed': {
    description: 'A run of an agent has ended, well or not.',
    source: 'agent',
    actionType: 'completed',
    data: events['agent_execution.completed'].partial({ agentName: true, seedUrl: true }),
  },
  'message.attempt.exhausted': {
    description: 'A message failed as often as it is ever tried. It can be replayed.',
    source: 'system',
    actionType: 'exhausted',
    data: events['message.attempt.exhausted'],
  },
  'endpoint.failing': {
    description:
      'An endpoint has only failed for half or nine tenths of the time after which it is disabled.',
    source: 'system',
    actionType: 'failing',
    data: events['endpoint.failing'],
  },
  'endpoint.disabled': {
    description: 'An endpoint was disabled, since it said that it is gone or only failed for too long.',
    source: 'system',
    actionType: 'disabled',
    data: events['endpoint.disabled'],
  },
} satisfies Partial<Record<EventName, EventEntry>>;

const agent = events['agent.add'].partial({ name: true });
const organizationName = { organizationName: true } as const;
const folderName = { folderName: true } as const;

const onDemand = {
  'organization.add': {
    description: 'An organization was added.',
    source: 'organization',
    actionType: 'added',
    optIn: true,
    data: events['organization.add'].partial(organizationName),
  },
  'organization.update': {
    description: 'An organization changed, or was switched on or off.',
    source: 'organization',
    actionType: 'updated',
    optIn: true,
    data: events['organization.update'].partial(organizationName),
  },
  'organization.delete': {
    description: 'An organization was deleted, with all that was in it.',
    source: 'organization',
    actionType: 'deleted',
    optIn: true,
    data: events['organization.delete'],
  },
  'folder.add': {
    description: 'A folder was added.',
    source: 'folder',
    actionType: 'added',
    optIn: true,
    data: events['folder.add'].partial(folderName),
  },
  'folder.update': {
    description: 'A folder changed.',
    source: 'folder',
    actionType: 'updated',
    optIn: true,
    data: events['folder.update'].partial(folderName),
  },
  'folder.delete': {
    description: 'A folder was deleted.',
    source: 'folder',
    actionType: 'deleted',
    optIn: true,
    data: events['folder.delete'],
  },
  'user.data_delete': {
    description: 'All that was kept of some users has been deleted.',
    source: 'user',
    actionType: 'dataDeleted',
    optIn: true,
    data: events['user.data_delete'],
  },
  'user_group.add': {
    description: 'A user group was added.',
    source: 'userGroup',
    actionType: 'added',
    optIn: true,
    data: events['user_group.add'].partial({ groupName: true }),
  },
  'user_group.delete': {
    description: 'A user group was deleted.',
    source: 'userGroup',
    actionType: 'deleted',
    optIn: true,
    data: events['user_group.delete'],
  },
  'user_group.user_add': {
    description: 'A user came into a user group.',
    source: 'userGroup',
    actionType: 'userAdded',
    optIn: true,
    data: events['user_group.user_add'],
  },
  'user_group.user_delete': {
    description: 'A user left a user group.',
    source: 'userGroup',
    actionType: 'userDeleted',
    optIn: true,
    data: events['user_group.user_delete'],
  },
  'activity.add': {
    description: 'An activity was logged.',
    source: 'activity',
    actionType: 'added',
    optIn: true,
    data: events['activity.add'],
  },
  'activity.update': {
    description: 'An activity was changed.',
    source: 'activity',
    actionType: 'updated',
    optIn: true,
    data: events['activity.update'],
  },
  'activity.delete': {
    description: 'An activity was deleted.',
    source: 'activity',
    actionType: 'deleted',
    optIn: true,
    data: events['activity.delete'],
  },
  'presence.update': {
    description: 'Users came to a document, or their presence on it changed.',
    source: 'presence',
    actionType: 'updated',
    optIn: true,
    data: events['presence.update'],
  },
  'presence.delete': {
    description: 'Users left a document.',
    source: 'presence',
    actionType: 'deleted',
    optIn: true,
    data: events['presence.delete'],
  },
  'live_state.broadcast': {
    description: 'Live state of a document was broadcast.',
    source: 'liveState',
    actionType: 'broadcast',
    optIn: true,
    data: events['live_state.broadcast'].partial({ data: true }),
  },
  'memory.judgment_add': {
    description:
      'A judgment was remembered: a decision, a comment, a finding of an agent, or one that was imported.',
    source: 'memory',
    actionType: 'judgmentAdded',
    optIn: true,
    data: events['memory.judgment_add']
      .partial({ reasoning: true })
      .extend({ actionUser: person, agent: z.looseObject({}).nullable() }),
  },
  'agent.add': {
    description: 'An agent was created.',
    source: 'agent',
    actionType: 'added',
    optIn: true,
    data: agent,
  },
  'agent.update': {
    description: 'An agent got another version.',
    source: 'agent',
    actionType: 'updated',
    optIn: true,
    data: agent,
  },
  'agent.delete': {
    description: 'An agent was deleted.',
    source: 'agent',
    actionType: 'deleted',
    optIn: true,
    data: events['agent.delete'],
  },
} satisfies Partial<Record<EventName, EventEntry & { optIn: true }>>;

export const otherEvents = { ...always, ...onDemand };
