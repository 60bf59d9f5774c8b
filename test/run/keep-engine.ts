// Runs the PostgreSQL of a data folder until this process is killed or receives SIGTERM, for tests of what then happens
// to the server. Prints its log as lines of JSON, and {"ready": true} when the server answers.
import { startEngine } from '../../src/postgres/engine.ts';

const print = (level: string) => (data: object, message: string) =>
  void process.stdout.write(`${JSON.stringify({ level, message, ...data })}\n`);
const log = { debug: print('debug'), info: print('info'), warn: print('warn'), error: print('error') };

const engine = await startEngine({ dataDir: process.argv[2] ?? '', log });
process.stdout.write(`${JSON.stringify({ ready: true })}\n`);
const keepAlive = setInterval(() => {}, 60_000);
process.on('SIGTERM', () => {
  clearInterval(keepAlive);
  void engine.stop();
});
