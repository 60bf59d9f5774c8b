import { existsSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { nearestTo } from '../../../lib/text/edit-distance.ts';
import type { ReportFormat } from '../../../report/formats.ts';
import { BUILTIN_AGENT_IDS } from '../../../shapes/agents/builtin-agents.ts';
import { readText } from './read-config.ts';
import type { ReviewFlags } from './review-program.ts';
import {
  isPageAddress,
  type ReviewConfig,
  type ReviewPlan,
  type Watched,
  WrongUse,
} from './review-settings.ts';

const DEFAULT_OUTPUT = 'redpen-report';

interface Given {
  urls: string[];
  flags: ReviewFlags;
  config: ReviewConfig;
  environment: NodeJS.ProcessEnv;
  /** Paths are relative to it. */
  folder: string;
}

/** Joins command line and configuration. Throws WrongUse with all that is wrong. */
export function planReview(given: Given): ReviewPlan {
  const { flags, config, folder } = given;
  const problems: string[] = [];
  const baseline = pathIn(folder, flags.baseline ?? config.baseline);
  const watch = watchedOf(given, problems);
  const chosen = urlsOf(given, watch);
  if (chosen.length === 0 && flags.watch === undefined)
    problems.push('Name at least one page: redpen review https://staging.example.com');
  if (flags.updateBaseline && baseline === undefined)
    problems.push('--update-baseline needs --baseline FILE, which it writes.');
  if (baseline !== undefined && !flags.updateBaseline && !existsSync(baseline))
    problems.push(
      `There is no baseline ${baseline}. Make it: redpen review ${chosen[0] ?? 'URL'} --baseline ${flags.baseline ?? config.baseline} --update-baseline`,
    );
  const server = serverOf(given, problems);
  const document = documentOf(flags.document ?? config.document, server !== undefined, problems);
  const agents = agentsOf(given, problems);
  const auth = authOf(given, problems);
  if (watch && auth)
    problems.push('--watch does not sign in: leave out --auth, and watch pages without login.');
  const output = outputOf(given, problems);
  if (problems.length > 0) throw new WrongUse(problems.join('\n'));
  return {
    urls: [...new Set(chosen.map((url) => new URL(url).href))],
    watch,
    ...agents,
    pages: flags.pages ?? config.pages ?? [],
    sitemap: flags.sitemap ?? config.sitemap ?? false,
    followsLinks: watch !== undefined && 'folder' in watch,
    maxPages: flags.maxPages ?? config.maxPages,
    device: flags.device ?? config.device,
    failOn: flags.failOn ?? config.failOn ?? 'high',
    failOnNew: flags.failOnNew ?? config.failOnNew ?? false,
    maxFindings: flags.maxFindings ?? config.maxFindings,
    baseline,
    updateBaseline: flags.updateBaseline ?? false,
    rules: { ...config.rules, ...flags.rule },
    ...output,
    server,
    document,
    auth,
    map: config.map ?? [],
    quiet: flags.quiet ?? false,
    open: flags.open ?? false,
  };
}

function urlsOf({ urls, flags, config }: Given, watch: Watched | undefined): string[] {
  if (flags.watch !== undefined) return watch && 'url' in watch ? [watch.url] : [];
  return urls.length > 0 ? urls : (config.urls ?? []);
}

function watchedOf({ urls, flags, config, folder }: Given, problems: string[]): Watched | undefined {
  const { watch } = flags;
  if (watch === undefined) return undefined;
  if (urls.length > 0) problems.push(`--watch has its own address: leave out ${urls.join(' ')}.`);
  if (flags.updateBaseline)
    problems.push('--watch does not write the baseline: write it with a review without --watch.');
  if ((flags.format ?? config.formats) && (flags.output ?? config.output) === undefined && !flags.open)
    problems.push(`--watch prints lines, and writes formats to a folder: add --output ${DEFAULT_OUTPUT}`);
  if (isPageAddress(watch)) return { url: new URL(watch).href };
  if (watch.includes('://')) {
    problems.push(
      `--watch must name a folder or the address of a page with http or https, without a user name and password, not ${watch}.`,
    );
    return undefined;
  }
  const path = resolve(folder, watch);
  if (!statSync(path, { throwIfNoEntry: false })?.isDirectory()) {
    const guess = isPageAddress(`http://${watch}`) ? ` For a server, write http://${watch}.` : '';
    problems.push(`There is no folder ${path}, which --watch names.${guess}`);
    return undefined;
  }
  if (flags.server !== undefined)
    problems.push('--watch serves a folder to a service on this machine only: leave out --server.');
  // Each report would be a change, and lead to the next one.
  if (pathIn(folder, flags.output ?? config.output) === path)
    problems.push('--output must name another folder than --watch.');
  return { folder: path };
}

const pathIn = (folder: string, path: string | undefined): string | undefined =>
  path === undefined ? undefined : resolve(folder, path);

function serverOf({ flags, environment }: Given, problems: string[]): ReviewPlan['server'] {
  const { server: url, apiKey, authToken } = flags;
  if (url === undefined) {
    if (apiKey !== undefined || authToken !== undefined)
      problems.push('--api-key and --auth-token belong to --server URL; without a server they have no use.');
    return undefined;
  }
  if (!isPageAddress(url))
    problems.push(
      `--server must be the address of a service without a user name and password, such as http://127.0.0.1:8080, not ${url}.`,
    );
  // Read only with --server: a shell that happens to have them must not send pages to another machine.
  const key = apiKey ?? environment.REDPEN_API_KEY;
  const token = authToken ?? environment.REDPEN_AUTH_TOKEN;
  if (!key || !token) {
    problems.push(
      '--server needs an API key and its token: set REDPEN_API_KEY and REDPEN_AUTH_TOKEN, or use --api-key and --auth-token.',
    );
    return undefined;
  }
  return { url, apiKey: key, authToken: token };
}

function documentOf(
  text: string | undefined,
  hasServer: boolean,
  problems: string[],
): ReviewPlan['document'] {
  if (text === undefined) return undefined;
  const [organizationId, documentId, ...more] = text.split('/');
  if (!organizationId || !documentId || more.length > 0) {
    problems.push(`--document must be ORGANIZATION/DOCUMENT, not ${text}.`);
    return undefined;
  }
  if (!hasServer) problems.push('--document needs --server: nothing remains of a review without one.');
  return { organizationId, documentId };
}

function agentsOf({ flags, config }: Given, problems: string[]): Pick<ReviewPlan, 'agents' | 'preset'> {
  // A choice on the command line takes the place of both fields of the file.
  const source = flags.agents || flags.preset ? flags : config;
  const { agents } = source;
  if (flags.server === undefined) {
    for (const id of agents ?? []) {
      if ((BUILTIN_AGENT_IDS as readonly string[]).includes(id)) continue;
      const near = nearestTo(id, BUILTIN_AGENT_IDS, () => 3)?.text;
      problems.push(
        `There is no agent ${id}${near ? `; did you mean ${near}?` : '.'} Without --server, the agents are ${BUILTIN_AGENT_IDS.join(', ')}.`,
      );
    }
  }
  return { agents, preset: source.preset ?? (agents === undefined ? 'launch' : undefined) };
}

/** The login for the pages, as the service takes it. */
function authOf({ flags, config, folder }: Given, problems: string[]): ReviewPlan['auth'] {
  const given = flags.auth ?? config.auth;
  if (typeof given !== 'string') return given;
  const path = resolve(folder, given);
  try {
    const value: unknown = JSON.parse(readText(path));
    if (typeof value === 'object' && value !== null && !Array.isArray(value))
      return value as Record<string, unknown>;
    problems.push(`${path} must contain a JSON object, as the field auth of a review.`);
  } catch (error) {
    // A syntax error would quote the secret.
    const why = error instanceof SyntaxError ? 'it is not JSON' : (error as Error).message;
    problems.push(`The login for the pages cannot be read from ${path}: ${why}.`);
  }
  return undefined;
}

function outputOf(
  { flags, config, folder }: Given,
  problems: string[],
): Pick<ReviewPlan, 'files' | 'printed' | 'output'> {
  const formats = flags.format ?? config.formats;
  const named = flags.output ?? config.output ?? (flags.open ? DEFAULT_OUTPUT : undefined);
  const output = pathIn(folder, named);
  if (output === undefined) {
    if ((formats?.length ?? 0) > 1)
      problems.push(`Several formats need a folder: add --output ${DEFAULT_OUTPUT}`);
    return { files: [], printed: formats?.[0] ?? 'text', output };
  }
  const files = new Set<ReportFormat>(formats ?? ['text', 'json', 'html']);
  if (flags.open) files.add('html');
  return { files: [...files], printed: 'text', output };
}
