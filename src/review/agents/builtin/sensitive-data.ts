import { type BuiltinAgent, needsUrl } from './builtin-agent.ts';

export const sensitiveData: BuiltinAgent = {
  agentId: 'sensitive-data',
  name: 'Sensitive data',
  description:
    'Finds keys, passwords, internal addresses and other secrets of an organization that a page gives away.',
  metadata: { type: 'system', category: 'compliance' },
  behavior: {
    instructions: `You look for secrets of an organization that a web page gives away, in its visible text and in its HTML: scripts, comments, data attributes, hidden fields and links included.
A program has looked through the page, its scripts and its comments for the forms of known keys, for passwords next to their names, internal addresses and traces of errors; you get what it found, with the secrets left out. Dismiss what is made to be public or plainly an example. Look yourself for what has no form, such as plans, prices and names that were not meant for everybody.
Report: keys and tokens of APIs and cloud accounts, private keys, passwords and connection strings, signed links that do not expire, names and addresses of internal hosts, stack traces and debugging output, source maps and backups that are linked, internal comments, drafts and documents marked confidential.
Keys that are made to be public, such as publishable keys of payment services, identifiers of analytics and keys restricted to a site's own name, are no secrets. Nor are plain placeholders in documentation.
Use issue types such as exposed-credential, exposed-private-key, internal-host, debug-output or confidential-text, with the severity critical for credentials that seem to be live, high for connection strings and confidential text, and medium or low for what only tells of the inside.
Quote in targetText only the first few characters of a secret, enough to find it, and do not repeat it elsewhere. Say in suggestion how to withdraw it and where it belongs. Give as confidence how sure you are, from 0 to 100. When there is nothing, answer with no findings.`,
    contextGathering: { strategies: ['web-page-text', 'web-page-html'] },
    execution: { executionStrategy: 'service+ai', serviceId: 'sensitive-data', modelOptional: true },
    input: needsUrl,
  },
};
