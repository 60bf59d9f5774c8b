import { listWarnings, readConfig } from '../../src/config.ts';

/** Variables of the programs that the service uses, which are no settings of its own. */
const OTHERS = /^(AWS_ACCESS_KEY_ID|AWS_SECRET_ACCESS_KEY|AWS_SESSION_TOKEN)$/;

/** Reads settings as the service does at its start. Throws on a setting that does not exist or whose value is wrong. */
export function readSettings(environment: Record<string, string>): Record<string, unknown> {
  const own = Object.fromEntries(Object.entries(environment).filter(([name]) => !OTHERS.test(name)));
  const config = readConfig(own) as unknown as Record<string, unknown>;
  const unknown = Object.keys(own).filter((name) => !(name in config));
  const problems = [...listWarnings(own), ...unknown.map((name) => `${name} is no setting.`)];
  if (problems.length > 0) throw new Error(problems.join('\n'));
  return config;
}
