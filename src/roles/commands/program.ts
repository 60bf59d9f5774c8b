import { Argument, Command, CommanderError, InvalidArgumentError } from 'commander';
import { describeVersion } from '../../lib/version.ts';
import { helpOnErrors } from '../terminal/command-help.ts';
import type { Outcome, WithData, Work } from '../terminal/outcome.ts';
import { explainForOperator, rotateForOperator } from './access-commands.ts';
import { printAudit, verifyForOperator } from './audit-commands.ts';
import { addBackupCommands } from './backup-program.ts';
import { makeConsoleLink } from './console-commands.ts';
import {
  addKeyCommands,
  addOldRotation,
  addUserTokenCommand,
  addWebhookCommands,
  addWorkspaceCommands,
} from './credential-program.ts';
import { carryFolderOver, describeDatabase, runPsql } from './database-commands.ts';
import { distributeTables } from './distribute-command.ts';
import { changeAllowedHosts } from './host-commands.ts';
import { createMcpCommand } from './mcp/mcp-program.ts';
import { addMoveCommand } from './move-commands.ts';
import { pruneForOperator } from './prune-command.ts';
import { createReviewCommand } from './review/review-program.ts';
import { rotateKeys } from './rotate-keys.ts';
import { changePlan, printUsage, printWorkspace, printWorkspaces } from './workspace-commands.ts';

/** Parses a command line: returns its work, or output if the command line is wrong or asks for help. */
export function readCommand(words: string[]): Work | Outcome {
  let work: Work | undefined;
  let output = '';
  const program = createProgram((chosen) => {
    work = chosen;
  });
  const write = (text: string) => {
    output += text;
  };
  helpOnErrors(program, write);
  try {
    program.parse(words, { from: 'user' });
  } catch (error) {
    if (error instanceof CommanderError) return { output, exitCode: error.exitCode };
    throw error;
  }
  return work ?? { output, exitCode: 1 };
}

function createProgram(choose: (work: Work) => void): Command {
  const withData: WithData = (run, { beginsAnew = false } = {}) => choose({ kind: 'data', beginsAnew, run });
  const program = new Command('redpen')
    .description('Reviews pages, and manages a Redpen service and its data.')
    .version(describeVersion(), '-V, --version', 'print version and commit')
    .usage('<command>')
    // For the help only: `cli.ts` runs them without loading the other commands.
    .addCommand(createReviewCommand())
    .addCommand(createMcpCommand());
  const workspace = program
    .command('workspace')
    .description('Workspaces, their credentials and their plans.');
  addPlanCommands(workspace, withData);
  addWorkspaceCommands(workspace, withData);
  addKeyCommands(program, withData);
  addUserTokenCommand(program, withData);
  addWebhookCommands(program, withData);
  addConsoleCommands(program, withData);
  addHostAndUsageCommands(program, withData);
  addAccessCommand(program, withData);
  addSealingCommands(program, withData);
  addAuditCommands(program, withData);
  addDatabaseCommands(program, choose);
  addBackupCommands(program, choose);
  addMoveCommand(program, choose);
  addDoctorCommand(program, choose);
  return program;
}

function addPlanCommands(workspace: Command, withData: WithData): void {
  workspace
    .command('list')
    .description('List workspaces, oldest first.')
    .option('--email <email>', 'only workspaces of this owner')
    .action(({ email }: { email?: string }) => withData(({ db }) => printWorkspaces(db, email)));
  workspace
    .command('show')
    .description('Show a workspace and its API keys.')
    .argument('<id>', 'workspace id')
    .action((id: string) => withData(({ db }) => printWorkspace(db, id)));
  workspace
    .command('plan')
    .description('Change the plan of a workspace.')
    .argument('<id>', 'workspace id')
    .addArgument(new Argument('<plan>', 'the plan').choices(['free', 'paid']))
    .action((id: string, plan: 'free' | 'paid') => withData(({ db }) => changePlan(db, id, plan)));
}

function addConsoleCommands(program: Command, withData: WithData): void {
  program
    .command('console')
    .description('The console in the browser.')
    .command('link')
    .description(
      "Print a link that signs in to the console once, within 24 hours: to the operator's account, which owns every workspace, or to that of a person. Needs no running service.",
    )
    .argument('[email]', 'the person, who then need not receive mail')
    .option('--workspace <id>', 'make the account an owner of this workspace, and of no other')
    .action((email: string | undefined, options: { workspace?: string }) =>
      withData((deps) => makeConsoleLink(deps, email, options), { beginsAnew: true }),
    );
}

function addHostAndUsageCommands(program: Command, withData: WithData): void {
  program
    .command('allow-host')
    .description(
      'Allow internal hosts, for reviews, webhooks and tool servers, while the service runs, or list the allowed ones.',
    )
    .argument('[hosts...]', 'such as 127.0.0.1:8090, staging.internal, *.corp.example, 10.0.0.0/8')
    .option('--remove', 'no longer allow them')
    .action((hosts: string[], options: { remove?: boolean }) =>
      withData((deps) => changeAllowedHosts(deps, hosts, options)),
    );
  program
    .command('usage')
    .description('List the storage of API keys, largest first.')
    .option('--limit <count>', 'maximum number of API keys', readLimit, 100)
    .action(({ limit }: { limit: number }) => withData(({ db }) => printUsage(db, limit)));
  program
    .command('prune')
    .description(
      'Remove data that is older than the settings REDPEN_KEEP_… keep it, as the service does every night.',
    )
    .option('--dry-run', 'only count what would be removed')
    .option('--json', 'as JSON')
    .action((options: { dryRun?: boolean; json?: boolean }) =>
      withData((deps) => pruneForOperator(deps, options)),
    );
}

function addAccessCommand(program: Command, withData: WithData): void {
  program
    .command('access')
    .description('Permissions of users.')
    .command('explain')
    .description('Explain whether a user may open a document.')
    .argument('<apiKey>', 'API key id')
    .argument('<organization>', 'organizationId')
    .argument('<document>', 'documentId')
    .argument('<user>', 'userId')
    .option('--token <jwt>', 'a token of the user, whose grants are included')
    .action(
      (
        apiKeyId: string,
        organizationId: string,
        documentId: string,
        userId: string,
        { token }: { token?: string },
      ) =>
        withData(async ({ db, openKeys }) =>
          explainForOperator(db, await openKeys(), { apiKeyId, organizationId, documentId, userId, token }),
        ),
    );
}

function addSealingCommands(program: Command, withData: WithData): void {
  const keys = program.command('keys').description('The keys that seal secrets and sign user tokens.');
  keys
    .command('rotate-signing')
    .description('Sign user tokens with a new key. Issued tokens stay valid.')
    .action(() => withData(async ({ db, openKeys }) => rotateForOperator(db, await openKeys())));
  keys
    .command('rotate')
    .description(
      'Seal every stored secret again with the current master key, so that earlier ones can be removed.',
    )
    .option(
      '--new',
      'make a new master key first, in the file that has it, and take the earlier one out at the end; the service may run',
    )
    .action(({ new: isNew = false }: { new?: boolean }) =>
      withData((deps) => rotateKeys(deps, { isNew, onProgress: deps.onProgress })),
    );
  addOldRotation(keys, withData);
}

function addAuditCommands(program: Command, withData: WithData): void {
  const audit = program.command('audit').description('The audit log: who did what from where.');
  audit
    .command('list')
    .description('List the newest entries of a workspace; without one, those about the service itself.')
    .argument('[workspace]', 'workspace id')
    .option('--limit <count>', 'maximum number of entries', readLimit, 50)
    .action((workspaceId: string | undefined, { limit }: { limit: number }) =>
      withData(({ db }) => printAudit(db, workspaceId, limit)),
    );
  audit
    .command('verify')
    .description(
      'Check whether the chains of hashes are whole, and where one breaks. The exit code is 1 then.',
    )
    .argument('[workspace]', 'workspace id; by default all of them and the service itself')
    .action((workspaceId: string | undefined) => withData(({ db }) => verifyForOperator(db, workspaceId)));
}

function addDatabaseCommands(program: Command, choose: (work: Work) => void): void {
  const database = program
    .command('db')
    .description('Describe the database: version, size, settings, and how to connect.')
    .action(() => choose({ kind: 'database', run: describeDatabase }));
  database
    .command('carry-over')
    .description(
      'Migrate the database of an earlier version in the data folder to this version, and keep the old one.',
    )
    .option('--reader <folder>', 'a folder with an installed copy of tools/pglite-reader')
    .action(({ reader }: { reader?: string }) =>
      choose({ kind: 'setup', run: (setup) => carryFolderOver(setup, reader) }),
    );
  database
    .command('distribute')
    .description('Spread the tables over the servers of a Citus cluster, by API key.')
    .option('--dry-run', 'only print the statements, and what Citus refuses')
    .action((options: { dryRun?: boolean }) =>
      choose({ kind: 'database', run: (opened) => distributeTables(opened, options) }),
    );
  program
    .command('psql')
    .description('Open psql on the database. Options after -- are passed to it.')
    .option('--superuser', 'as the owner of the embedded database')
    .argument('[options...]', 'options of psql')
    .action((options: string[], { superuser = false }: { superuser?: boolean }) =>
      choose({ kind: 'database', run: (database) => runPsql(database, options, superuser) }),
    );
}

function addDoctorCommand(program: Command, choose: (work: Work) => void): void {
  program
    .command('doctor')
    .description('Check everything that the service depends on, and suggest fixes.')
    .option('--json', 'as JSON')
    .action(({ json = false }: { json?: boolean }) =>
      choose({
        kind: 'look',
        async run(readSetup) {
          // Loaded on demand: it imports much that other commands do not need.
          const { runDoctor } = await import('../doctor/doctor.ts');
          return await runDoctor(readSetup, { json });
        },
      }),
    );
}

function readLimit(text: string): number {
  if (!/^[1-9]\d{0,6}$/.test(text)) throw new InvalidArgumentError('It must be a whole number from 1 on.');
  return Number(text);
}
