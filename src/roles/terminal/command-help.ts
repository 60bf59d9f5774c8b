import { type Command, CommanderError } from 'commander';

/** Sample value of each argument in examples. */
const EXAMPLES: Readonly<Record<string, string>> = {
  email: 'ada@acme.dev',
  id: 'ws_4GkKx0gJ',
  plan: 'paid',
  workspace: 'ws_4GkKx0gJ',
  key: 'key_8Zr0dQ2a',
  apiKey: 'key_8Zr0dQ2a',
  user: 'eve',
  organization: 'acme',
  document: 'website',
};

/**
 * Redirects the output of a command and its subcommands to `write` and adds usage to errors. By default, Commander writes
 * to the process and exits.
 */
export function helpOnErrors(command: Command, write: (text: string) => void): void {
  command.exitOverride().configureOutput({
    writeOut: write,
    writeErr: write,
    outputError: (text) => write(`${nameAllMissing(command, text)}${usageOf(command)}`),
  });
  const example = exampleOf(command);
  if (example !== undefined) command.addHelpText('after', `\nExample: ${example}`);
  for (const inner of command.commands) helpOnErrors(inner, write);
}

/**
 * Parses the words after the name of a command that stands for itself, whose action takes what was typed. Returns the
 * text to print if there is nothing to run: help that was asked for, or an error. `name` is the whole command.
 */
export function parseWords(
  command: Command,
  name: string,
  words: string[],
): { output: string; isHelp: boolean } | undefined {
  let output = '';
  helpOnErrors(command.name(name), (text) => {
    output += text;
  });
  try {
    command.parse(words, { from: 'user' });
    return undefined;
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    return { output, isHelp: error.exitCode === 0 };
  }
}

/** Completes the error of Commander, which names only the first missing argument. */
function nameAllMissing(command: Command, text: string): string {
  if (!text.startsWith('error: missing required argument')) return text;
  const missing = command.registeredArguments.filter(
    ({ required }, at) => required && command.args[at] === undefined,
  );
  const names = missing.map((argument) => `'${argument.name()}'`);
  return `error: missing required argument${names.length > 1 ? 's' : ''} ${new Intl.ListFormat('en').format(names)}\n`;
}

function usageOf(command: Command): string {
  const example = exampleOf(command);
  return [
    '',
    `Usage: ${command.createHelp().commandUsage(command)}`,
    ...(example === undefined ? [] : [`Example: ${example}`]),
    `${pathOf(command)} --help says more.`,
    '',
  ].join('\n');
}

/** The command with sample values for its required arguments; undefined if it requires none. */
export function exampleOf(command: Command): string | undefined {
  const required = command.registeredArguments.filter((argument) => argument.required);
  if (required.length === 0) return undefined;
  return [pathOf(command), ...required.map((argument) => EXAMPLES[argument.name()] ?? argument.name())].join(
    ' ',
  );
}

const pathOf = (command: Command): string =>
  [...(command.parent ? [pathOf(command.parent)] : []), command.name()].join(' ');
