/** A setting that cannot be used. */
export interface Problem {
  setting: string;
  /** Its value or default; undefined if it is missing. */
  value: string | undefined;
  /** Predicate of a sentence about the setting, such as `must be a URL`. */
  rule: string;
}

/** Thrown for an unusable environment. The message names every bad setting. */
export class BadConfig extends Error {
  override name = 'BadConfig';
}

/** One line for each problem. */
export const badSettings = (problems: readonly Problem[]): BadConfig =>
  new BadConfig(
    `Bad settings:\n${[...new Set(problems.map(describeProblem))].join('\n')}\nSee npm start -- --help for all settings.`,
  );

/** One line about a problem. A value that may be secret is left out. */
export function describeProblem({ setting, value, rule }: Problem): string {
  const isShown = value !== undefined && mayBeShown(setting, value);
  return `  ${setting}: ${rule}${isShown ? ` (it is ${JSON.stringify(value)})` : ''}`;
}

const SECRET = /(?:KEY|KEY_PREVIOUS|KEY_COMMAND|TOKEN|PASSWORD|SECRET|HEADERS)$/i;
const MAY_HOLD_SECRET = /(?:(?:BASE|DATABASE|DIRECT|REPLICA|REDIS|BLOB|SMTP)_URL|ENDPOINT)$/;

/** True if the value of a setting may be printed. A URL without user and query contains no password. */
export function mayBeShown(setting: string, value: string): boolean {
  if (SECRET.test(setting)) return false;
  return !MAY_HOLD_SECRET.test(setting) || /^(?:file:|[a-z][a-z0-9+.-]*:\/)[^@?]*$/i.test(value);
}
