import { styleText } from 'node:util';
import { DefaultRenderer, Listr, ListrLogger, ProcessOutput } from 'listr2';
import { type AgentProgress, describeAgent, type ProgressView } from './review-states.ts';

/** listr2 looks only at standard output, which may be a file while a person reads the errors. */
class TerminalRenderer extends DefaultRenderer {
  static override nonTTY = true;
}

const BAR = 16;

/** A line of listr2 that other code changes and ends. */
class Line {
  readonly #ended = Promise.withResolvers<void>();
  #title: string;
  #show: (title: string) => void = () => {};

  constructor(title: string) {
    this.#title = title;
  }

  /** The task that listr2 runs. */
  get task() {
    return {
      title: this.#title,
      task: (_: unknown, wrapper: { title: string | undefined }): Promise<void> => {
        this.#show = (title) => {
          wrapper.title = title;
        };
        this.#show(this.#title);
        return this.#ended.promise;
      },
    };
  }

  set title(title: string) {
    this.#title = title;
    this.#show(title);
  }

  end(hasFailed = false): void {
    if (hasFailed) this.#ended.reject(new Error('The agent could not review.'));
    else this.#ended.resolve();
  }
}

/** One line for what happens first, which disappears, and then a line with a bar for each agent. */
export function terminalView(stream: NodeJS.WriteStream): ProgressView {
  let beginning: Line | undefined;
  let lines: Map<string, Line> | undefined;
  let shown: Promise<unknown> = Promise.resolve();

  return {
    begin(what) {
      if (beginning) beginning.title = what;
      else {
        beginning = new Line(what);
        shown = run([beginning], stream, true);
      }
    },
    update(agents) {
      const width = Math.max(...agents.map(({ name }) => name.length));
      if (!lines) {
        const opened = new Map(agents.map((agent) => [agent.agentId, new Line(titleOf(agent, width))]));
        lines = opened;
        beginning?.end();
        shown = shown.then(() => run([...opened.values()], stream, false));
      }
      for (const agent of agents) {
        const line = lines.get(agent.agentId);
        if (!line) continue;
        line.title = titleOf(agent, width);
        if (agent.outcome) line.end(agent.outcome === 'failed');
      }
    },
    async end() {
      beginning?.end();
      for (const line of lines?.values() ?? []) line.end();
      await shown;
      // Between the lines and the report.
      if (lines) stream.write('\n');
      lines = undefined;
    },
  };
}

async function run(lines: readonly Line[], stream: NodeJS.WriteStream, clearOutput: boolean): Promise<void> {
  await new Listr(
    lines.map(({ task }) => task),
    {
      concurrent: true,
      exitOnError: false,
      // The command itself handles signals.
      registerSignalListeners: false,
      renderer: TerminalRenderer,
      rendererOptions: {
        logger: new ListrLogger({
          useIcons: true,
          toStderr: [],
          processOutput: new ProcessOutput(stream, stream),
        }),
        clearOutput,
        formatOutput: 'truncate',
        showErrorMessage: false,
      },
    },
  ).run();
}

function titleOf(agent: AgentProgress, width: number): string {
  return `${agent.name.padEnd(width)}  ${barOf(agent)}  ${describeAgent(agent)}`;
}

function barOf({ planned, processed, outcome }: AgentProgress): string {
  const share = outcome ? 1 : processed / Math.max(planned, processed, 1);
  const done = Math.round(share * BAR);
  const color = outcome === 'failed' ? 'red' : 'green';
  // The caller knows that it is a terminal; NO_COLOR is respected all the same.
  const paint = { validateStream: true, stream: process.stderr };
  return styleText(color, '━'.repeat(done), paint) + styleText('dim', '─'.repeat(BAR - done), paint);
}
