import { type Models, NO_USAGE } from '../../src/outside/models/models.ts';

/** What a model says to the example of each operation that needs one. */
const REPLIES: Record<string, unknown> = {
  '/v2/agents/prompt/enhance': {
    requirement: 'When is a price out of date?',
    context: 'Without a rule, reviewers would judge the same price differently.',
    suggestion: ['It names a past year.', 'It differs from the price list.'],
    suggestion_type: 'single-select',
  },
  '/v2/agents/prompt/validate': {
    analysis_prompt:
      '# Objective\nReport prices that are out of date.\n\n# Violations\nA price of a past year.',
    requires_tool: 'TOOL_TEXT_EXTRACTOR',
    response_descriptions: [{ field: 'suggestion', description: 'The current price, if the page shows it.' }],
    detection_dimensions: ['year of the price'],
    cases: [
      {
        id: 'case-1',
        title: 'Last year',
        tier: 'plain',
        dimension_tested: 'year of the price',
        html: '<p>Prices of 2024</p>',
        expected: 'detected',
        reason: 'The year is over.',
      },
    ],
    suggested_required_inputs: [
      {
        name: 'priceList',
        description: 'The current prices.',
        example: 'Basic: 9 EUR',
        reason: 'The page alone does not show which prices are current.',
      },
    ],
  },
  '/v2/agents/prompt/refine': {
    analysis_prompt: '# Objective\nReport prices that are out of date. A year without an amount is no price.',
    response_descriptions: [{ field: 'suggestion', description: 'The current price, if the page shows it.' }],
  },
  '/v2/memory/ask': {
    answer: 'Prices without tax are rejected: they are always shown with tax.',
    records: ['R1'],
    confidence: 0.9,
  },
  '/v2/rewriter/ask-ai': 'It is long.',
};

export const needsReply = (path: string): boolean => path in REPLIES;

/** Models that say what fits the example of an operation. */
export const modelsFor = (path: string): Models => ({
  configured: { claude: true, openai: true, gemini: true },
  choose: () => ({ provider: 'claude', model: 'any' }),
  ask: async ({ schema }) => ({
    data: (schema ? schema.parse(REPLIES[path]) : REPLIES[path]) as never,
    usage: NO_USAGE,
    llmModel: 'claude/any',
  }),
  close: async () => {},
});
