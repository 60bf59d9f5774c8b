import type { Severity } from '../../../shapes/agents/execution.ts';
import type { SecretIssue } from './secret-rules.ts';

/** A text of a page that is searched for leaks. */
export interface LeakSource {
  text: string;
  kind: 'words' | 'code' | 'comment' | 'script' | 'linked-data' | 'style' | 'attribute' | 'text';
  /** Name of the attribute or its field; empty for other text. */
  label: string;
  /** Host and port of the page itself. */
  ownHost: string;
  /** True if the page teaches about software, so that hosts, paths and messages are its subject. */
  isTaught: boolean;
  /** True for a preformatted text. Output of a machine is not `code`, but belongs to a lesson as samples do. */
  isPreformatted: boolean;
}

export interface Leak {
  issueType: SecretIssue;
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

/** Secrets that manuals and standards publish, so that they open nothing. */
const PUBLISHED =
  /^(AKIAIOSFODNN7EXAMPLE|AKIAI44QH8DHBEXAMPLE|wJalrXUtnFEMI\/K7MDENG\/bPxRfiCYEXAMPLEKEY|je7MtGbClwBF\/2Zp9Utk\/h3yCo8nvbEXAMPLEKEY|sk_test_4eC39HqLyjWDarjtT1zdp7dc|sk_test_BQokikJOvBiI2HlWgH4olfQ2|sk_test_26PHem9AhJZvU623DfE1x4sd|rk_test_\w*EXAMPLE\w*|eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9\.eyJzdWIiOiIxMjM0NTY3ODkwI[\w.-]+|eyJ0eXAiOiJKV1QiLA0KICJhbGciOiJIUzI1NiJ9\.eyJpc3MiOiJqb2UiLA0K[\w.-]+|Aladdin:open ?sesame|QWxhZGRpbjpvcGVuIHNlc2FtZQ==|correct ?horse ?battery ?staple)$/i;

export const isPublished = (value: string): boolean => PUBLISHED.test(value.trim());

/** True for values that are not random, such as those of samples. */
export const looksInvented = (value: string): boolean =>
  isPlaceholder(value) ||
  /0123|1234|2345|abcd|bcde|(.)\1{4}/i.test(value) ||
  new Set(value).size < Math.min(10, value.length / 2);
