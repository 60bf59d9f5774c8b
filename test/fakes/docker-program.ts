// A program named `docker` for tests: it understands `docker run` as the pipelines use it, runs `node` for real, and
// stands in for `redpen`. The program sees only the variables and folders that a container would get.
import { appendFileSync, cpSync, existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';

interface Run {
  entrypoint: string;
  image: string;
  user: string;
  network: string;
  workdir: string;
  volumes: string[];
  env: Record<string, string>;
  args: string[];
}

const WITH_VALUE = ['--shm-size', '--network', '--user', '--volume', '--env', '--workdir', '--entrypoint'];

function parse([command, ...words]: string[]): Run {
  if (command !== 'run') throw new Error(`docker ${command}`);
  const env: Record<string, string> = {};
  const values: Record<string, string> = {};
  const volumes: string[] = [];
  while (words[0] !== '--') {
    const [name = '', inline] = words.shift()!.split(/=(.*)/s);
    if (!WITH_VALUE.includes(name)) continue;
    const value = inline ?? words.shift()!;
    const [variable = '', given] = value.split(/=(.*)/s);
    if (name === '--volume') volumes.push(value);
    else if (name !== '--env') values[name] = value;
    // Docker leaves out a variable that the environment does not have.
    else if (given !== undefined) env[variable] = given;
    else if (process.env[variable] !== undefined) env[variable] = process.env[variable];
  }
  const [, image = '', ...args] = words;
  return {
    entrypoint: values['--entrypoint'] ?? '',
    user: values['--user'] ?? '',
    network: values['--network'] ?? '',
    workdir: values['--workdir'] ?? '',
    image,
    volumes,
    env,
    args,
  };
}

const run = parse(process.argv.slice(2));
const readFlag = process.env.STAND_IN_READS;
const path = readFlag && run.args.find((arg) => arg.startsWith(readFlag))?.slice(readFlag.length);
const read = path ? { text: readFileSync(path, 'utf8'), mode: statSync(path).mode & 0o777 } : undefined;
appendFileSync(process.env.STAND_IN_LOG!, `${JSON.stringify({ ...run, read })}\n`);
if (run.entrypoint === 'node') await runScript(run);
else review(run);

/** Becomes a script, with the arguments, folder and variables that it has in the container. */
async function runScript({ args, env, workdir }: Run): Promise<void> {
  process.chdir(workdir);
  process.env = env;
  process.argv = [process.execPath, ...args];
  await import(pathToFileURL(args[0]!).href);
}

/** Stands in for `redpen review`. */
function review({ args }: Run): void {
  const output = args.find((arg) => arg.startsWith('--output='))?.slice('--output='.length) ?? '';
  const writeReports = () => {
    const source = process.env.STAND_IN_REPORTS;
    if (!source || !existsSync(output)) return;
    cpSync(source, output, { recursive: true, preserveTimestamps: false });
  };
  process.stdout.write('reviewing\n::error::written on a page\n');
  if (process.env.STAND_IN_WAITS) {
    process.on('SIGTERM', () => {
      writeReports();
      process.exit(130);
    });
    writeFileSync(process.env.STAND_IN_WAITS, 'waits');
    setInterval(() => {}, 60_000);
  } else {
    writeReports();
    process.exitCode = Number(process.env.STAND_IN_CODE ?? 0);
  }
}
