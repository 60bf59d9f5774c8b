import { Command, InvalidArgumentError, Option } from 'commander';
import { type ReportFormat, reportFormatNames } from '../../../report/formats.ts';
import { reviewPresets } from '../../../shapes/agents/review.ts';
import {
  deviceTypes,
  failOnChoices,
  isPageAddress,
  type ReviewConfig,
  ruleChoices,
} from './review-settings.ts';

/** The flags as they were given. */
export interface ReviewFlags
  extends Omit<ReviewConfig, '$schema' | 'urls' | 'auth' | 'map' | 'rules' | 'formats'> {
  rule?: ReviewConfig['rules'];
  format?: ReportFormat[];
  auth?: string;
  updateBaseline?: boolean;
  quiet?: boolean;
  open?: boolean;
  config?: string;
  /** A folder, or the address of a page. */
  watch?: string;
  server?: string;
  apiKey?: string;
  authToken?: string;
}

const EXAMPLES = `
Examples:
  redpen review https://staging.example.com
  redpen review http://localhost:3000 --preset accessibility --max-pages 20 --fail-on medium
  redpen review https://example.com --agents broken-links,spell-check --pages '/docs/**' --sitemap
  redpen review https://example.com --format text,html,junit --output reports
  redpen review https://example.com --baseline redpen-baseline.json --update-baseline
  redpen review --watch public

Exit codes: 0 good, 1 findings at or above --fail-on, 2 wrong use, 3 could not review, 130 interrupted.`;

/** The command `redpen review`. It calls back with what was typed. */
export function createReviewCommand(
  onReview: (urls: string[], flags: ReviewFlags) => void = () => {},
): Command {
  const command = new Command('review')
    .summary('Review pages with several agents, and print the report.')
    .description(
      'Review pages with several agents, print the report, and fail if it has grave findings. Without --server it starts a service of its own, which leaves nothing behind.',
    )
    .argument('[urls...]', 'addresses of pages, such as https://staging.example.com', collectUrl);
  addScopeOptions(command);
  addGateOptions(command);
  addOutputOptions(command);
  return command
    .addHelpText('after', EXAMPLES)
    .action((urls: string[], flags: ReviewFlags) => onReview(urls, flags));
}

function addScopeOptions(command: Command): void {
  command
    .optionsGroup('What is reviewed:')
    .option('--agents <ids>', 'ids of agents, separated by commas', collectWords)
    .addOption(
      new Option('--preset <name>', 'a set of agents; launch without --agents').choices([...reviewPresets]),
    )
    .option('--pages <glob>', "only pages whose address matches, such as '/docs/**'; repeatable", collect)
    .option('--sitemap', 'also the pages that the sitemap of the site lists')
    .option(
      '--max-pages <count>',
      'follow links, and review up to this number of pages',
      wholeNumber(1, 10_000),
    )
    .addOption(new Option('--device <type>', 'viewport of the pages').choices([...deviceTypes]))
    .option(
      '--watch <folder|url>',
      'serve a folder of static files, or poll a server, and review pages again whenever they change',
    )
    .option('--auth <file>', 'JSON file with the login for the pages')
    .option('--server <url>', 'a running service, in place of one that is started for the review')
    .option('--api-key <id>', 'API key of the server; by default REDPEN_API_KEY')
    .option('--auth-token <token>', 'token of the API key; by default REDPEN_AUTH_TOKEN')
    .option('--document <org/doc>', 'write suggestions to this document of the server')
    .option('--config <file>', 'by default redpen.config.json or redpen.config.ts in the working directory');
}

function addGateOptions(command: Command): void {
  command
    .optionsGroup('When it fails:')
    .addOption(
      new Option('--fail-on <severity>', 'the mildest severity that fails; high by default').choices([
        ...failOnChoices,
      ]),
    )
    .option('--fail-on-new', 'only findings that the baseline or the previous run does not have')
    .option('--max-findings <count>', 'fail if more findings remain', wholeNumber(0, 1_000_000))
    .option('--rule <type=severity>', 'another severity for an issue type, or off; repeatable', collectRule)
    .option('--baseline <file>', 'findings that are known and do not count')
    .option('--update-baseline', 'write all findings to that file, and succeed');
}

function addOutputOptions(command: Command): void {
  command
    .optionsGroup('What it writes:')
    .option(
      '--format <names>',
      `formats, separated by commas: ${reportFormatNames.join(', ')}`,
      collectFormats,
    )
    .option('--output <folder>', 'folder for the reports')
    .option('--open', 'open the HTML report in the browser')
    .option('--quiet', 'show no progress');
}

const collect = (value: string, before: string[] = []): string[] => [...before, value];

const collectWords = (value: string, before: string[] = []): string[] => {
  const words = value
    .split(',')
    .map((word) => word.trim())
    .filter((word) => word !== '');
  if (words.length === 0) throw new InvalidArgumentError('It must name at least one.');
  return [...new Set([...before, ...words])];
};

function collectUrl(value: string, before: string[] = []): string[] {
  if (!isPageAddress(value)) {
    const guess = /^[^/.:]/.test(value) && !value.includes('//') && isPageAddress(`https://${value}`);
    throw new InvalidArgumentError(
      guess
        ? `Write https://${value} or http://${value}.`
        : 'It must be the address of a page with http or https, without a user name and password. --watch FOLDER reviews files.',
    );
  }
  return [...before, value];
}

function collectFormats(value: string, before: ReportFormat[] = []): ReportFormat[] {
  const isFormat = (word: string): word is ReportFormat =>
    (reportFormatNames as readonly string[]).includes(word);
  return collectWords(value, before).map((word) => {
    if (isFormat(word)) return word;
    throw new InvalidArgumentError(
      `There is no format ${word}. The formats are ${reportFormatNames.join(', ')}.`,
    );
  });
}

function collectRule(
  value: string,
  before: NonNullable<ReviewConfig['rules']> = {},
): NonNullable<ReviewConfig['rules']> {
  const [, issueType = '', chosen] = /^([^=]+)=(.+)$/.exec(value) ?? [];
  const severity = ruleChoices.find((choice) => choice === chosen);
  if (severity === undefined)
    throw new InvalidArgumentError(
      `Write an issue type and ${ruleChoices.join(', ')}, such as spelling=off.`,
    );
  return { ...before, [issueType]: severity };
}

const wholeNumber =
  (least: number, most: number) =>
  (value: string): number => {
    if (!/^\d{1,7}$/.test(value) || Number(value) < least || Number(value) > most)
      throw new InvalidArgumentError(`It must be a whole number from ${least} to ${most}.`);
    return Number(value);
  };
