// The watcher on Windows, which has no shell: the service starts it with a pipe as descriptor 3, and it stops the
// server when that pipe ends. Arguments: pg_ctl, the folder of the cluster, the server and its arguments.
import { spawn, spawnSync } from 'node:child_process';
import { createReadStream } from 'node:fs';

const [pgCtl = '', folder = '', program = '', ...args] = process.argv.slice(2);
const server = spawn(program, args, { stdio: ['ignore', 'ignore', 'inherit'], windowsHide: true });
process.stdout.write(`${server.pid}\n`);
server.once('error', (error) => {
  process.stderr.write(`${error.message}\n`);
  process.exit(1);
});
server.once('exit', (code) => process.exit(code ?? 1));
createReadStream('', { fd: 3 })
  .on('error', () => {})
  .on('close', () => {
    for (const mode of ['fast', 'immediate']) {
      const { status } = spawnSync(pgCtl, ['stop', '-D', folder, '-m', mode, '-t', '30'], {
        stdio: 'ignore',
      });
      if (status === 0) break;
    }
  })
  .resume();
