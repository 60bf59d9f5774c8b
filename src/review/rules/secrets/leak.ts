import type { Severity } from '../../../shapes/agents/execution.ts';

/** Where a text with a possible leak stands. */
export interface Leaky {
  text: string;
  kind: 'words' | 'code' | 'comment' | 'script' | 'linked-data' | 'style' | 'attribute' | 'text';
  /** Of an attribute: what it and its field are called. */
  label: string;
  /** Host and port of the page, which are no secret to it. */
  ownHost: string;
}

export interface Leak {
  issueType: string;
  /** With its article. */
  noun: string;
  from: number;
  to: number;
  /** How many characters may be quoted without telling the secret. */
  quotable: number;
  severity: Severity;
  confidence: number;
  suggestion: string;
}

export const WITHDRAW =
  'Withdraw it where it was issued, since it must be taken for known, issue a new one, and keep that on the server.';
export const TAKE_OUT = 'Take it out of what is sent to visitors.';

/** What stands where a secret will be. */
export const isStandIn = (value: string): boolean =>
  /^[*•.xX_-]+$|x{4,}|\*{3,}|•{3,}|…|\.{3}|<[^>]*>|\$\{|\{\{|%\w+%|\byour[-_ ]?|[-_]here\b|^(changeme|change_me|example|sample|dummy|placeholder|redacted|hidden|none|null|undefined|true|false|required|optional|string|secret|password|token|test|foo|bar)$|process\.env|import\.meta|os\.environ|getenv|example/i.test(
    value,
  );

/** Values that nobody drew by chance. */
export const isMadeUp = (value: string): boolean =>
  isStandIn(value) ||
  /0123|1234|2345|abcd|bcde|(.)\1{4}/i.test(value) ||
  new Set(value).size < Math.min(10, value.length / 2);
