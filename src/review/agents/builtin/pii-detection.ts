import { type BuiltinAgent, needsUrl } from './builtin-agent.ts';

export const piiDetection: BuiltinAgent = {
  agentId: 'pii-detection',
  name: 'Personal data',
  description: 'Finds data about private persons that a public page should not show.',
  metadata: { type: 'system', category: 'compliance' },
  behavior: {
    instructions: `You look for personal data that a web page shows about private persons, in its visible text and in its HTML, hidden fields, comments and attributes included.
A program has looked for the kinds of data that have a form, checked their check digits, and judged by the words around them; you get what it found. Dismiss what belongs to no private person. Look yourself for what only its meaning shows to be personal, such as names with what happened to them.
Report: private addresses and telephone numbers, private e-mail addresses, dates of birth, numbers of identity cards, passports, tax, insurance and bank accounts, payment card numbers, health data, licence plates, and tables or exports of customers.
Judge by context. The address, telephone number or mailbox of a company, the named contact in an imprint, an author's name and a public office are meant to be public. Numbers that are plainly examples, such as those of a form's placeholder or of reserved ranges, are none either.
Check digits where a kind of number has them before you report one.
Use the issue type pii followed by what it is, such as pii-phone or pii-card-number, and a severity by the harm that the data can do: critical for card, bank and identity numbers and health data, high for addresses and dates of birth, medium for telephone numbers and private mailboxes.
Quote in targetText only as much as is needed to find the place, and do not repeat the data in title, description or suggestion. Give as confidence how sure you are, from 0 to 100. When there is nothing, answer with no findings.`,
    contextGathering: { strategies: ['web-page-text', 'web-page-html'] },
    execution: { executionStrategy: 'service+ai', serviceId: 'pii-detection', modelOptional: true },
    input: needsUrl,
  },
};
