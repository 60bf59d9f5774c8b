import { Command } from 'commander';

/** The flags as they were given. */
export interface McpFlags {
  url?: string;
  token?: string;
  apiKey?: string;
  authToken?: string;
  data?: string;
  key?: string;
  readOnly?: boolean;
}

const EXAMPLES = `
Examples:
  redpen mcp --url https://redpen.example.com      with REDPEN_TOKEN, a personal token
  redpen mcp --data ./data                         the service on this folder, or one that is started for the assistant
  redpen mcp --url https://redpen.example.com --read-only

Standard output carries the protocol alone; what people should know goes to standard error.`;

/** The command `redpen mcp`. It calls back with what was typed. */
export function createMcpCommand(onServe: (flags: McpFlags) => void = () => {}): Command {
  return new Command('mcp')
    .summary('Give an AI assistant on this computer the findings of reviews.')
    .description(
      'Serves the Model Context Protocol over standard input and output, for assistants that start their servers themselves: to a running service, or to the data folder of one. It ends with its standard input.',
    )
    .optionsGroup('A running service:')
    .option('--url <url>', 'its address, such as https://redpen.example.com')
    .option(
      '--token <token>',
      'personal token; better set REDPEN_TOKEN, because other users of this computer see flags in the list of processes',
    )
    .option('--api-key <id>', 'API key in place of a personal token; by default REDPEN_API_KEY')
    .option('--auth-token <token>', 'token of the API key; by default REDPEN_AUTH_TOKEN')
    .optionsGroup('A data folder:')
    .option(
      '--data <folder>',
      'the data folder of a service, relative to the folder of Redpen; by default REDPEN_DATA_DIR or ./data. If no service runs on it, one is started until the end of the command.',
    )
    .option('--key <id>', 'API key of the folder; needed if it has several')
    .optionsGroup('Both:')
    .option('--read-only', 'only the tools that read')
    .addHelpText('after', EXAMPLES)
    .action((flags: McpFlags) => onServe(flags));
}
