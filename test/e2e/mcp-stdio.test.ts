import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import type { Writable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { identityOf, isAlive } from '../../src/postgres/process-identity.ts';
import { keyLines, keyPathOf } from '../../src/roles/setup/keyring.ts';
import { mcpStage, textIn } from '../mcp/mcp-stage.ts';
import { addMember } from '../people/members.ts';
import { NODE_COMPILE_CACHE } from '../run/compile-cache.ts';
import { until } from '../run/until.ts';
import { fillDataFolder } from '../service/data-folder.ts';
import { newWorkspace } from '../service/harness.ts';
import { CLI, startAssistant } from '../service/mcp-command.ts';
import { newPlace, type Place, runRedpen } from '../service/redpen-command.ts';

const ROOT = join(import.meta.dirname, '../..');
const NOTHING = { files: [], processes: [] };

let place: Place;
let env: Record<string, string>;
/** The first API key of the data folder. */
let keyId: string;
beforeAll(async () => {
  place = newPlace();
  env = { REDPEN_DATA_DIR: join(place.folder, 'data'), TMPDIR: place.temp, NODE_COMPILE_CACHE };
  const dataDir = env.REDPEN_DATA_DIR!;
  await fillDataFolder(dataDir);
  writeFileSync(keyPathOf(dataDir), keyLines([randomBytes(32)]), { mode: 0o600 });
  keyId = await newKey('ada@acme.dev');
});
afterAll(() => place.remove());

const HELLO = `${JSON.stringify({
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: {
    protocolVersion: '2025-11-25',
    capabilities: {},
    clientInfo: { name: 'raw', version: '1' },
  },
})}\n`;
const overview = { name: 'overview', arguments: {} };
/** Makes a workspace in the data folder, and returns its API key. */
async function newKey(email: string): Promise<string> {
  const { stdout, stderr } = await runRedpen(place, ['workspace', 'create', email, '--json'], env);
  expect(stdout, stderr).not.toBe('');
  return JSON.parse(stdout).REDPEN_API_KEY;
}
const noteOf = () => JSON.parse(readFileSync(join(env.REDPEN_DATA_DIR!, 'address'), 'utf8'));
const hasNote = () => existsSync(join(env.REDPEN_DATA_DIR!, 'address'));

test('a client of 2026-07-28 uses a running service with a personal token', async () => {
  const { url } = await mcpStage();
  const w = await newWorkspace();
  const { session } = await addMember(w, 'editor', 'Eve');
  const { body } = await session.post('/v2/tokens/create', {
    name: 'Assistant',
    scopes: ['read', 'comment'],
  });
  const { client, faults, said } = await startAssistant({
    words: ['--url', `${url}/mcp`],
    env: { REDPEN_TOKEN: body.result.data.token },
  });
  expect((await client.listTools()).tools).toHaveLength(9);
  expect(textIn(await client.callTool(overview))).toContain('0 open findings');
  const refused = await client.callTool({
    name: 'review_page',
    arguments: { urls: ['https://example.com/'] },
  });
  expect([refused.isError, textIn(refused)]).toEqual([true, expect.stringContaining('scope review')]);
  expect({ faults, said: said() }).toEqual({ faults: [], said: '' });
});

test('with --read-only, a client of 2025-11-25 reads with an API key of a running service', async () => {
  const { url } = await mcpStage();
  const w = await newWorkspace();
  const { client, faults, said } = await startAssistant({
    words: ['--url', url, '--read-only'],
    env: { REDPEN_API_KEY: w.apiKeyId, REDPEN_AUTH_TOKEN: w.token },
    era: '2025-11-25',
  });
  const { tools } = await client.listTools();
  expect(tools.map(({ name }) => name)).not.toContain('decide');
  expect(tools.every(({ annotations }) => annotations?.readOnlyHint)).toBe(true);
  expect(textIn(await client.callTool(overview))).toContain('0 open findings');
  expect({ faults, said: said() }).toEqual({ faults: [], said: '' });
});

test('wrong tokens and services that do not answer are said to people and to assistants', async () => {
  const { url } = await mcpStage();
  const wrong = await startAssistant({ words: ['--url', url], env: { REDPEN_TOKEN: 'rp_wrong' } });
  const refused = await wrong.client.callTool(overview);
  expect(refused).toMatchObject({
    isError: true,
    structuredContent: { error: { status: 'UNAUTHENTICATED' } },
  });
  expect(textIn(refused)).toContain('in the console under Assistants');
  await until(() => wrong.said() !== '', 'the refusal on stderr');
  expect(wrong.said()).toMatch(/^redpen: .*token/i);
  expect(wrong.said()).not.toContain('rp_wrong');

  const closed = `http://127.0.0.1:${await closedPort()}`;
  const away = await startAssistant({
    words: ['--url', closed],
    env: { REDPEN_TOKEN: 'rp_a' },
  });
  const message = `The service at ${closed} does not answer (ECONNREFUSED).`;
  expect(textIn(await away.client.callTool(overview))).toContain(message);
  await until(() => away.said().includes(message), 'the failure on stderr');
});

test('a command that cannot start says why, and ends with code 1', async () => {
  const missing = await runRedpen(place, ['mcp', '--data', 'missing']);
  expect(missing).toMatchObject({
    code: 1,
    stdout: '',
    stderr: expect.stringContaining('is no data folder'),
  });
  const typed = await runRedpen(place, ['mcp', '--tokn=hunter2']);
  expect(typed).toMatchObject({ code: 1, stdout: '', stderr: expect.stringContaining('unknown option') });
  expect(typed.stderr).not.toContain('hunter2');
});

test('assistants share the service of a folder, which goes on when the first one ends, and a killed one leaves nothing', async () => {
  // As a configuration for assistants calls it, from another folder.
  const npm = ['npm', '--prefix', ROOT, 'run', '--silent', 'redpen', '--', 'mcp'];
  const first = await startAssistant({ command: npm, env, cwd: place.folder });
  expect(textIn(await first.client.callTool(overview))).toContain('0 open findings');
  const started = noteOf();
  const second = await startAssistant({ env, era: '2025-11-25' });
  expect(textIn(await second.client.callTool(overview))).toContain('0 open findings');
  expect([second.said(), noteOf()]).toEqual(['', started]);

  await first.client.close();
  await until(() => !isAlive(started), 'the end of the service');
  await until(() => place.leftovers().processes.length === 1, 'the end of its processes');
  expect([place.leftovers().files, hasNote()]).toEqual([[], false]);
  expect(textIn(await second.client.callTool(overview))).toContain('0 open findings');
  expect(second.said()).toContain('Starting Redpen on');
  expect([first.faults, second.faults]).toEqual([[], []]);

  const another = await newKey('bob@acme.dev');
  const unsure = await startAssistant({ env });
  const refused = await unsure.client.callTool(overview);
  expect(refused.isError).toBe(true);
  expect(textIn(refused)).toContain('several API keys: name one with --key');
  for (const id of [keyId, another]) expect(textIn(refused)).toContain(id);
  const sure = await startAssistant({ env, words: ['--key', another] });
  expect(textIn(await sure.client.callTool(overview))).toContain('0 open findings');

  for (const { transport } of [second, unsure, sure]) process.kill(transport.pid!, 'SIGKILL');
  await until(() => place.leftovers().processes.length === 0, 'the end of all processes');
  expect(place.leftovers()).toEqual(NOTHING);
});

test('standard output has messages of the protocol alone, and the command ends with its input', async () => {
  const child = spawn(process.execPath, [CLI, 'mcp', '--key', keyId], {
    env: { PATH: process.env.PATH, ...env },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  const printed = text(child.stdout);
  const said = text(child.stderr);
  const answered = once(child.stdout, 'data');
  child.stdin.write(HELLO);
  await answered;
  child.stdin.end();
  const [code] = await once(child, 'close');
  expect([code, await said]).toEqual([0, expect.any(String)]);
  const messages = (await printed).trimEnd().split('\n');
  expect(messages.map((line) => JSON.parse(line))).toEqual([
    expect.objectContaining({ jsonrpc: '2.0', id: 1, result: expect.anything() }),
  ]);
  await until(() => place.leftovers().processes.length === 0, 'the end of all processes');
});

test('the command ends with the process that started it, even while another one holds its standard input', async () => {
  // Node closes the standard input of a process that has ended, but no other descriptor.
  const parent = spawn('sh', ['-c', '"$0" "$1" mcp <&3 & echo $! >&4; wait', process.execPath, CLI], {
    env: { PATH: process.env.PATH, ...env },
    stdio: ['ignore', 'pipe', 'ignore', 'pipe', 'pipe'],
  });
  const input = parent.stdio[3] as Writable;
  const [line] = await once(parent.stdio[4]!, 'data');
  const command = identityOf(Number(String(line)));
  const answered = once(parent.stdout!, 'data');
  input.write(HELLO);
  await answered;
  expect(isAlive(command)).toBe(true);
  parent.kill('SIGKILL');
  await until(() => !isAlive(command), 'the end of the command');
  input.destroy();
  await until(() => place.leftovers().processes.length === 0, 'the end of all processes');
});

/** A port at which nothing listens any more. */
async function closedPort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
