import { type Command, Option } from 'commander';
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

const JSON_OPTION = ['--json', 'print one JSON object in place of export lines'] as const;
const each = (value: string, before: string[] = []): string[] => [...before, value];

/** `workspace create` and `workspace token`. */
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
