import { z } from 'zod';
import { publicServiceIds } from '../../services/index.ts';
import { aiConfig } from './ai-config.ts';
import { mcpServer } from './mcp-server.ts';
import { stagehandOptions } from './stagehand-options.ts';

const upTo20 = z.number().int().min(1).max(20).optional();

const knowledge = z.strictObject({
  useMemory: z.boolean().optional().describe('Puts what memory knows into {{memoryContext}}.'),
  maxChunks: upTo20,
  maxPatterns: upTo20,
  maxActivities: upTo20,
});

const sentence = z.string().optional();

/** What the model is told about a field of a finding. */
const responseDescriptions = z.looseObject({
  summary: sentence,
  title: sentence,
  description: sentence,
  severity: sentence,
  targetText: sentence,
  suggestion: sentence,
  isPageLevel: sentence,
  issueType: sentence,
  confidence: sentence,
  htmlSelector: sentence,
  findingType: sentence,
});

/** Who reviews what was gathered. */
export const execution = z.looseObject({
  executionStrategy: z
    .enum(['ai', 'service', 'service+ai', 'stagehand-agent', 'mcp-tools'])
    .optional()
    .describe('By default ai.'),
  serviceId: z.enum(publicServiceIds).optional().describe('Required with service and service+ai.'),
  aiConfig: aiConfig.optional(),
  mcpServers: z.array(mcpServer).max(5).optional().describe('At least one with mcp-tools.'),
  responseDescriptions: responseDescriptions.optional(),
  strategyOptions: z.looseObject({ 'stagehand-agent': stagehandOptions.optional() }).optional(),
  knowledge: knowledge.optional(),
});
