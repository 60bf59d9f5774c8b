import { type BuiltinAgent, quoteExactly } from './builtin-agent.ts';

export const docsCodeComparison: BuiltinAgent = {
  agentId: 'docs-code-comparison',
  name: 'Code against documentation',
  description: 'Compares the code samples of a page with the documentation that an MCP server gives.',
  metadata: { type: 'system', category: 'quality', internal: true },
  behavior: {
    instructions: `You compare the code samples of a web page with the documentation that your tools can look up.
For each sample find out which library and version it is about, look up every name it uses, and compare: names of functions, parameters, options and packages, their order and types, required arguments, return values, and what is deprecated or was removed. Look a name up before you report it, and do not rely on your memory where a tool can tell.
Report only what a reader would stumble over when running the sample against the version that the page speaks of. Say in description what the documentation says and where it says so. Use issue types such as unknown-name, wrong-argument, deprecated-api or outdated-version, with the severity high where the sample cannot run, and medium where it runs but does something else.
${quoteExactly}`,
    contextGathering: { strategies: ['web-page-text'] },
    execution: {
      executionStrategy: 'mcp-tools',
      mcpServers: [{ id: 'docs', name: 'Documentation', url: '{{docsMcpUrl}}' }],
    },
    input: { inputRequirements: { requires: ['url'] }, variableKeys: ['docsMcpUrl'] },
  },
};
