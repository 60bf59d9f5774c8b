import type { Severity } from '../../../shapes/agents/execution.ts';

/** A text of a page that is searched for leaks. */
export interface LeakSource {
  text: string;
  kind: 'words' | 'code' | 'comment' | 'script' | 'linked-data' | 'style' | 'attribute' | 'text';
  /** Name of the attribute or its field; empty for other text. */
  label: string;
  /** Host and port of the page itself. */
  ownHost: string;
}

export interface Leak {
  issueType: string;
  /** Name of the secret with its article. */
  noun: string;
  from: number;
  to: number;
  /** Number of characters that may be quoted without revealing the secret. */
  quotable: number;
  severity: Severity;
  confidence: number;
  suggestion: string;
}

export const REVOKE =
  'Withdraw it where it was issued, since it must be taken for known, issue a new one, and keep that on the server.';
export const REMOVE = 'Take it out of what is sent to visitors.';

/** True for placeholders of secrets. */
export const isPlaceholder = (value: string): boolean =>
  /^[*•.xX_-]+$|x{4,}|\*{3,}|•{3,}|…|\.{3}|<[^>]*>|\$\{|\{\{|%\w+%|\byour[-_ ]?|[-_]here\b|^(changeme|change_me|example|sample|dummy|placeholder|redacted|hidden|none|null|undefined|true|false|required|optional|string|secret|password|token|test|foo|bar)$|process\.env|import\.meta|os\.environ|getenv|example/i.test(
    value,
  );

/** True for values that are not random, such as those of samples. */
export const looksInvented = (value: string): boolean =>
  isPlaceholder(value) ||
  /0123|1234|2345|abcd|bcde|(.)\1{4}/i.test(value) ||
  new Set(value).size < Math.min(10, value.length / 2);
