import type { RuleEntry } from '../../../shapes/agents/rule.ts';

/** The issue types of the rules about secrets of an organization. */
export const secretRules = {
  'exposed-credential': {
    title: 'Key, token or password on the page',
    help: 'Everybody can read a key, token or password in the page or its source. Withdraw it where it was issued, issue a new one, and keep that on the server.',
    severity: 'critical',
    otherwise: [
      {
        severity: 'high',
        when: 'It is a key that is often public, the address of a webhook, a JSON Web Token, or a password of which the form alone tells little.',
      },
      { severity: 'medium', when: 'It is a key for tests.' },
    ],
  },
  'exposed-private-key': {
    title: 'Private key on the page',
    help: 'Everybody can read a private key in the page or its source. Withdraw it, issue a new one, and keep that on the server.',
    severity: 'critical',
  },
  'exposed-signed-link': {
    title: 'Signed address on the page',
    help: 'A link carries a signature that opens what is not public. Let it expire soon, and make such links for one reader at a time.',
    severity: 'medium',
  },
  'stack-trace': {
    title: 'Error message of the server or a script',
    help: 'The page shows an error with details of the program behind it. Mend its cause, and show readers a plain message.',
    severity: 'medium',
  },
  'debug-output': {
    title: 'Debugging output or statement of a database',
    help: 'The page shows what helps its developers. Take it out of what is sent to visitors.',
    severity: 'low',
    otherwise: [{ severity: 'medium', when: 'It is a statement of a database.' }],
  },
  'directory-listing': {
    title: 'Listing of a directory',
    help: 'The server lists the files of a folder. Switch the listing off, or put a page there.',
    severity: 'medium',
  },
  'confidential-text': {
    title: 'Text that is marked as confidential',
    help: 'The page has text that says that it is not for the public. Find out whether it may be shown, and take it out if not.',
    severity: 'high',
  },
  'internal-comment': {
    title: 'Internal note in a comment',
    help: 'A comment in the source speaks of weaknesses or work to be done before publication. Take it out of what is sent to visitors.',
    severity: 'medium',
  },
  'internal-host': {
    title: 'Address of an internal host',
    help: 'The page names a host or address of an internal network or a test system. Take it out of what is sent to visitors.',
    severity: 'medium',
  },
  'internal-path': {
    title: 'Path on a machine of yours',
    help: 'The page names a file or folder of a server or of a developer. Take it out of what is sent to visitors.',
    severity: 'low',
  },
  'source-map': {
    title: 'Address of a source map',
    help: 'A script or style names its source map, with which its original source can be read. Leave source maps out of what is published.',
    severity: 'low',
  },
  'exposed-file': {
    title: 'Link to a file of the server or a backup',
    help: 'The page links to a file that is not made for visitors. Remove it from the server, or refuse access to it.',
    severity: 'high',
  },
} satisfies Record<string, RuleEntry>;

export type SecretIssue = keyof typeof secretRules;
