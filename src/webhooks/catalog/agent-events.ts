import { z } from 'zod';
import { type EventName, events } from '../../events/event-catalog.ts';
import {
  allowedPerson,
  allowedPlace,
  ana,
  person,
  SAMPLE_TIME,
  samplePlace,
  type WebhookEvent,
} from './webhook-event.ts';

const agent = {
  source: 'agent',
  optIn: true,
  data: events['agent.add'].partial({ name: true }),
  allowed: { agentId: true, version: true },
} as const;
const sampleAgent = { agentId: 'agent_7Tc5', name: 'Prices', version: 2 };

/** Events of agents, their runs, and remembered judgments. */
export const agentEvents = {
  'agent_execution.completed': {
    description: 'A run of an agent ended, successfully or not.',
    source: 'agent',
    actionType: 'completed',
    data: events['agent_execution.completed'].partial({ agentName: true, seedUrl: true }),
    allowed: {
      ...allowedPlace,
      executionId: true,
      agentId: true,
      agentVersion: true,
      status: true,
      error: { code: true, retryable: true },
      startedAt: true,
      completedAt: true,
      resultsSummary: {
        totalFindings: true,
        totalAnnotationsCreated: true,
        urlsProcessed: true,
        urlsWithFindings: true,
        urlsErrored: true,
        urlsSkipped: true,
        issuesCreated: true,
        heldBack: true,
        severityCounts: { critical: true, high: true, medium: true, low: true, info: true },
      },
      llmModel: true,
      tokenUsage: { promptTokens: true, completionTokens: true, totalTokens: true },
    },
    sample: {
      executionId: 'execution_6Vz3',
      agentId: sampleAgent.agentId,
      agentName: sampleAgent.name,
      agentVersion: 2,
      ...samplePlace,
      status: 'failed',
      seedUrl: 'https://www.acme.example/pricing',
      startedAt: SAMPLE_TIME,
      completedAt: SAMPLE_TIME + 42_000,
      resultsSummary: {
        totalFindings: 1,
        totalAnnotationsCreated: 1,
        urlsProcessed: 1,
        urlsWithFindings: 1,
        urlsErrored: 0,
        severityCounts: { medium: 1 },
        summary: 'Found 1 issue across 1 page. 1 annotation created.',
      },
    },
  },
  'agent.add': {
    ...agent,
    description: 'An agent was created.',
    actionType: 'added',
    sample: { ...sampleAgent, version: 1 },
  },
  'agent.update': {
    ...agent,
    description: 'An agent was changed; its version number went up.',
    actionType: 'updated',
    sample: sampleAgent,
  },
  'agent.delete': {
    ...agent,
    description: 'An agent was deleted.',
    actionType: 'deleted',
    data: events['agent.delete'],
    sample: { agentId: sampleAgent.agentId },
  },
  'memory.judgment_add': {
    description:
      'A judgment was remembered: a decision, a comment, a finding of an agent, or an imported judgment.',
    source: 'memory',
    actionType: 'judgmentAdded',
    optIn: true,
    data: events['memory.judgment_add']
      .partial({ reasoning: true })
      .extend({ actionUser: person, agent: z.looseObject({}).nullable() }),
    allowed: {
      ...allowedPlace,
      recordId: true,
      annotationId: true,
      origin: true,
      decision: true,
      judgeType: true,
      confidence: true,
      taggedUserContacts: allowedPerson,
      actionUser: allowedPerson,
      agent: { agentId: true, agentType: true, executionId: true },
      createdAt: true,
    },
    sample: {
      recordId: 'jdg_8Wd1',
      ...samplePlace,
      annotationId: 'annotation_2Xb7Q',
      origin: 'suggestion',
      decision: 'reject',
      reasoning: 'Prices are always shown with tax.',
      judgeType: 'human',
      confidence: 1,
      actionUser: ana,
      agent: null,
      createdAt: SAMPLE_TIME,
    },
  },
} satisfies Partial<Record<EventName, WebhookEvent>>;
