import { Argument, Command, CommanderError } from 'commander';
import type { Db } from '../db/tables.ts';
import type { Keyring } from '../lib/crypto.ts';
import { ApiError } from '../lib/errors.ts';
import { explainForOperator, rotateForOperator } from './access-commands.ts';
import { rotateKeys } from './rotate-keys.ts';
import { changePlan, printWorkspace, printWorkspaces } from './workspace-commands.ts';

export interface Outcome {
  output: string;
  exitCode: number;
}

/** What a command needs of the service; it is the same in the running one and in a process of its own. */
export interface CommandDeps {
  db: Db;
  keyring: Keyring;
}

export type Work = (deps: CommandDeps) => Promise<string>;

/** Reads the words of a command: work to be done, or an answer at once where they are wrong or ask for help. */
export function readCommand(words: string[]): Work | Outcome {
  let work: Work | undefined;
  let output = '';
  const program = createProgram((chosen) => {
    work = chosen;
  });
  const write = (text: string) => {
    output += text;
  };
  quieten(program, write);
  try {
    program.parse(words, { from: 'user' });
  } catch (error) {
    if (error instanceof CommanderError) return { output, exitCode: error.exitCode };
    throw error;
  }
  return work ?? { output, exitCode: 1 };
}

/** Does what was read; a failure that the operator may read becomes the answer. */
export async function perform(work: Work, deps: CommandDeps): Promise<Outcome> {
  try {
    return { output: await work(deps), exitCode: 0 };
  } catch (error) {
    if (error instanceof ApiError) return { output: `${error.message}\n`, exitCode: 1 };
    throw error;
  }
}

function createProgram(choose: (work: Work) => void): Command {
  const program = new Command('redpen')
    .description('Looks after a Redpen service and its data.')
    .usage('<command>');
  const workspace = program.command('workspace').description('Workspaces and their plans.');
  workspace
    .command('list')
    .description('List workspaces, the oldest first.')
    .option('--email <email>', 'only those of this owner')
    .action(({ email }: { email?: string }) => choose(({ db }) => printWorkspaces(db, email)));
  workspace
    .command('show')
    .description('Show a workspace and its API keys.')
    .argument('<id>', 'workspace id')
    .action((id: string) => choose(({ db }) => printWorkspace(db, id)));
  workspace
    .command('plan')
    .description('Put a workspace on a plan.')
    .argument('<id>', 'workspace id')
    .addArgument(new Argument('<plan>', 'the plan').choices(['free', 'paid']))
    .action((id: string, plan: 'free' | 'paid') => choose(({ db }) => changePlan(db, id, plan)));
  program
    .command('access')
    .description('What users may do.')
    .command('explain')
    .description('Tell whether a user may open a document, and why.')
    .argument('<apiKey>', 'API key id')
    .argument('<organization>', 'organizationId')
    .argument('<document>', 'documentId')
    .argument('<user>', 'userId')
    .option('--token <jwt>', 'a token of the user, whose own grants then count too')
    .action(
      (
        apiKeyId: string,
        organizationId: string,
        documentId: string,
        userId: string,
        { token }: { token?: string },
      ) =>
        choose(({ db, keyring }) =>
          explainForOperator(db, keyring, { apiKeyId, organizationId, documentId, userId, token }),
        ),
    );
  const keys = program.command('keys').description('The keys that seal secrets and sign user tokens.');
  keys
    .command('rotate-signing')
    .description('Sign user tokens with a new key; those that are out stay good.')
    .action(() => choose(({ db, keyring }) => rotateForOperator(db, keyring)));
  keys
    .command('rotate')
    .description('Seal every stored secret again with REDPEN_MASTER_KEY, so that earlier keys can go.')
    .action(() => choose(({ db, keyring }) => rotateKeys(db, keyring)));
  return program;
}

/** Commander ends the process and writes to it by default, which the running service must not do. */
function quieten(command: Command, write: (text: string) => void): void {
  command.exitOverride().configureOutput({ writeOut: write, writeErr: write });
  for (const inner of command.commands) quieten(inner, write);
}
