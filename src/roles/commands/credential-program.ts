import { type Command, InvalidArgumentError, Option } from 'commander';
import { CREDENTIAL_KINDS, type CredentialKind } from '../../store/keys/key-ages.ts';
import type { WithData } from '../terminal/outcome.ts';
import {
  createForOperator,
  createKeyForOperator,
  makeUserToken,
  printKeys,
  printKeyToken,
  printWorkspaceToken,
  resetForOperator,
} from './credential-commands.ts';
import { rotateOld } from './rotate-old.ts';
import {
  printSecretAges,
  printTokens,
  readDuration,
  rotateKeyToken,
  rotateWebhookSecret,
  rotateWorkspaceToken,
} from './rotate-tokens.ts';

const JSON_OPTION = ['--json', 'print one JSON object in place of export lines'] as const;
const each = (value: string, before: string[] = []): string[] => [...before, value];

function readTime(text: string): number {
  const ms = readDuration(text);
  if (ms === undefined)
    throw new InvalidArgumentError('It must be a duration of at most a year, such as 30m, 24h or 7d.');
  return ms;
}

const graceOption = (subject: string, preset: string) =>
  new Option('--grace <duration>', `time for which the earlier ${subject}, such as 24h`)
    .argParser(readTime)
    .default(readTime(preset), preset);

/** `workspace create`, `workspace token` and `workspace rotate-token`. */
export function addWorkspaceCommands(workspace: Command, withData: WithData): void {
  workspace
    .command('create')
    .description(
      'Create the workspace of an owner with an API key, and print its credentials for a shell. If the owner has a workspace, print those of the first one. Needs no running service.',
    )
    .argument('<email>', 'email address of the owner')
    .option('--name <name>', 'name of the workspace')
    .addOption(new Option('--plan <plan>', 'its plan; by default REDPEN_PLAN').choices(['free', 'paid']))
    .option('--another', 'create another workspace of this owner')
    .option(...JSON_OPTION)
    .action((email: string, options: Parameters<typeof createForOperator>[2]) =>
      withData((deps) => createForOperator(deps, email, options), { beginsAnew: true }),
    );
  workspace
    .command('token')
    .description('Print the token of a workspace for a shell.')
    .argument('<id>', 'workspace id')
    .option(...JSON_OPTION)
    .action((id: string, options: { json?: boolean }) =>
      withData((deps) => printWorkspaceToken(deps, id, options)),
    );
  workspace
    .command('rotate-token')
    .description('Give a workspace a new token, and print it. The earlier one stays valid for a while.')
    .argument('<id>', 'workspace id')
    .addOption(graceOption('token stays valid', '7d'))
    .option(...JSON_OPTION)
    .action((id: string, { grace, json }: { grace: number; json?: boolean }) =>
      withData((deps) => rotateWorkspaceToken(deps, id, { graceMs: grace, json })),
    );
}

/** `webhook`: the secrets of webhook endpoints. */
export function addWebhookCommands(program: Command, withData: WithData): void {
  const webhook = program.command('webhook').description('Webhook endpoints and their secrets.');
  webhook
    .command('list')
    .description('List webhook endpoints with the age of their secret, the oldest secret first.')
    .argument('[key]', 'API key id; by default all of them')
    .option('--older-than <duration>', 'only secrets of this age, such as 90d', readTime)
    .option('--json', 'as JSON')
    .action((apiKeyId: string | undefined, { olderThan, json }: { olderThan?: number; json?: boolean }) =>
      withData(({ db }) => printSecretAges(db, apiKeyId, { olderThanMs: olderThan, json })),
    );
  webhook
    .command('rotate-secret')
    .description(
      'Give a webhook endpoint a new secret, and print it. The earlier one also signs for a while.',
    )
    .argument('<key>', 'API key id')
    .argument('<endpoint>', 'id of the endpoint')
    .addOption(graceOption('secret also signs, up to 7d', '24h'))
    .option('--json', 'as JSON')
    .action((apiKeyId: string, endpointId: string, { grace, json }: { grace: number; json?: boolean }) =>
      withData((deps) => rotateWebhookSecret(deps, apiKeyId, endpointId, { graceMs: grace, json })),
    );
}

function eachKind(text: string, before: CredentialKind[] = []): CredentialKind[] {
  const kind = CREDENTIAL_KINDS.find((one) => one === text);
  if (kind === undefined) throw new InvalidArgumentError(`Its kinds are ${CREDENTIAL_KINDS.join(', ')}.`);
  return [...before, kind];
}

interface OldOptions {
  olderThan: number;
  kind?: CredentialKind[];
  grace: number;
  dryRun?: boolean;
}

/** `keys rotate-old`, for a job that rotates by schedule. */
export function addOldRotation(keys: Command, withData: WithData): void {
  keys
    .command('rotate-old')
    .description(
      'Replace tokens and webhook secrets that are older than a time, and print the new ones, one JSON object a line. The earlier ones stay valid for a while.',
    )
    .argument('[workspace]', 'only those of this workspace')
    .requiredOption('--older-than <duration>', 'such as 90d', readTime)
    .option(`--kind <kind>`, `only this kind; may be repeated: ${CREDENTIAL_KINDS.join(', ')}`, eachKind)
    .addOption(graceOption('ones stay valid, up to 7d', '7d'))
    .option('--dry-run', 'list them, and replace nothing')
    .action((workspaceId: string | undefined, { olderThan, kind, grace, dryRun }: OldOptions) =>
      withData((deps) =>
        rotateOld(deps, workspaceId, { olderThanMs: olderThan, kinds: kind, graceMs: grace, isDry: dryRun }),
      ),
    );
}

/** `key`: API keys and their tokens. */
export function addKeyCommands(program: Command, withData: WithData): void {
  const key = program.command('key').description('API keys and their tokens.');
  key
    .command('create')
    .description('Create an API key, and print it and its token for a shell.')
    .argument('<workspace>', 'workspace id')
    .option('--name <name>', 'name of the key')
    .addOption(
      new Option('--type <type>', 'its type; production needs a paid plan')
        .choices(['testing', 'production'])
        .default('testing'),
    )
    .option(...JSON_OPTION)
    .action((workspaceId: string, options: Parameters<typeof createKeyForOperator>[2]) =>
      withData((deps) => createKeyForOperator(deps, workspaceId, options)),
    );
  key
    .command('list')
    .description('List API keys, oldest first.')
    .argument('[workspace]', 'only API keys of this workspace')
    .action((workspaceId: string | undefined) => withData(({ db }) => printKeys(db, workspaceId)));
  key
    .command('token')
    .description('Print an API key and its token for a shell.')
    .argument('<key>', 'API key id')
    .option('--token-name <name>', 'name of the token; by default the oldest')
    .option(...JSON_OPTION)
    .action((apiKeyId: string, { tokenName, json }: { tokenName?: string; json?: boolean }) =>
      withData((deps) => printKeyToken(deps, apiKeyId, { name: tokenName, json })),
    );
  key
    .command('reset')
    .description('Replace the token of an API key, and print the new one. The old token stops working.')
    .argument('<key>', 'API key id')
    .option(...JSON_OPTION)
    .action((apiKeyId: string, options: { json?: boolean }) =>
      withData((deps) => resetForOperator(deps, apiKeyId, options)),
    );
  addTokenCommands(key, withData);
}

/** `key rotate` and `key tokens`. */
function addTokenCommands(key: Command, withData: WithData): void {
  key
    .command('rotate')
    .description(
      'Give an API key a new token, and print it. The earlier one stays valid for a while; for a leaked token use key reset.',
    )
    .argument('<key>', 'API key id')
    .option('--token-name <name>', 'name of the token, if the key has several')
    .addOption(graceOption('token stays valid', '7d'))
    .option(...JSON_OPTION)
    .action(
      (apiKeyId: string, { grace, ...options }: { grace: number; tokenName?: string; json?: boolean }) =>
        withData((deps) => rotateKeyToken(deps, apiKeyId, { graceMs: grace, ...options })),
    );
  key
    .command('tokens')
    .description('List the tokens of an API key with their age and last use, without secrets.')
    .argument('<key>', 'API key id')
    .action((apiKeyId: string) => withData(({ db }) => printTokens(db, apiKeyId)));
}

interface UserTokenOptions {
  organization?: string[];
  document?: string[];
  role?: 'viewer' | 'editor';
  admin?: boolean;
  name?: string;
  email?: string;
  json?: boolean;
}

export function addUserTokenCommand(program: Command, withData: WithData): void {
  program
    .command('user-token')
    .description('Create a token with which the browser of a user calls the API, and print it for a shell.')
    .argument('<key>', 'API key id')
    .argument('<user>', 'userId')
    .option('--organization <id>', 'an organization that the token grants; may be repeated', each)
    .option('--document <place>', 'a document, as ORGANIZATION/DOCUMENT; may be repeated', each)
    .addOption(new Option('--role <role>', 'granted role; by default editor').choices(['viewer', 'editor']))
    .option('--admin', 'makes the user an editor of every granted organization')
    .option('--name <name>', "the user's name; by default the userId")
    .option('--email <email>', "the user's email address")
    .option(...JSON_OPTION)
    .action(
      (
        apiKeyId: string,
        userId: string,
        { organization = [], document = [], ...options }: UserTokenOptions,
      ) =>
        withData((deps) =>
          makeUserToken(deps, apiKeyId, userId, {
            organizations: organization,
            documents: document,
            ...options,
          }),
        ),
    );
}
