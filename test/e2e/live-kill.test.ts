import { setTimeout as pause } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { rounds } from '../run/rounds.ts';
import { until } from '../run/until.ts';
import { newLiveTenant, newTypist, type Typist } from '../service/live-tenant.ts';
import { ownDatabase } from '../service/own-database.ts';
import { startService } from '../service/service.ts';
import { ownService } from '../service/worker-service.ts';

const KILLS = rounds(1, 3, 'KILLS');
const TYPISTS = 10;

const isConnected = ({ provider }: Typist) => provider.isSynced && !provider.hasUnsyncedChanges;

async function typeWhile(typists: Typist[], isTyping: () => boolean): Promise<void> {
  while (isTyping()) {
    for (const typist of typists) typist.type();
    await pause(5 + Math.random() * 15);
  }
}

test(`after ${KILLS} kills while ten people type, no acknowledged word is lost`, {
  timeout: 900_000 + KILLS * 40_000,
}, async () => {
  const service = await ownService();
  const tenant = await newLiveTenant(() => service);
  const token = await tenant.token('ada');
  const acknowledged: string[] = [];
  let typed = 0;
  for (let kill = 0; kill < KILLS; kill++) {
    const typists = Array.from({ length: TYPISTS }, (_, index) =>
      newTypist(service.url, token, `${kill}.${index}`),
    );
    await until(() => typists.every(isConnected), 'all typists to connect');
    const acknowledgedNow = () => typists.flatMap((typist) => typist.acknowledged());
    let isDead = false;
    const typing = typeWhile(typists, () => !isDead);
    // A kill before anything is acknowledged would prove nothing.
    await until(() => acknowledgedNow().length > 2 * TYPISTS, 'acknowledged words');
    await pause(Math.random() * 800);
    const dead = service.kill('SIGKILL');
    // A client that reconnects would send its words again.
    for (const typist of typists) typist.close();
    const saved = acknowledgedNow();
    isDead = true;
    await Promise.all([dead, typing]);
    acknowledged.push(...saved);
    typed += saved.length;
    await service.restart();
    const [editor] = await tenant.must('/v2/crdt/get', {
      organizationId: 'acme',
      documentId: 'home',
      editorId: 'body',
    });
    const words = new Set(editor?.data.match(/\[[^\]]+\]/g));
    expect(acknowledged.filter((word) => !words.has(word))).toEqual([]);
  }
  expect(typed).toBeGreaterThan(KILLS * TYPISTS);
});

test('two processes serve one document, and nothing is lost when one of them dies', {
  timeout: 900_000,
}, async () => {
  const { env } = await ownDatabase();
  const redis = process.env.REDPEN_TEST_REDIS_URL;
  const both = { ...env, ...(redis !== undefined && { REDIS_URL: redis }) };
  const first = await startService(both);
  const second = await startService(both);
  const tenant = await newLiveTenant(() => second);
  const token = await tenant.token('ada');
  const here = newTypist(first.url, token, 'here');
  const there = newTypist(second.url, token, 'there');
  await until(() => isConnected(here) && isConnected(there), 'connections');
  const typed = (typist: Typist) => typist.acknowledged().length;
  let bothType = true;
  const typingOfBoth = typeWhile([here, there], () => bothType);
  await until(() => typed(here) > 10 && typed(there) > 10, 'acknowledged words of both');
  bothType = false;
  await typingOfBoth;
  const agree = () =>
    here.document.getText('content').toString() === there.document.getText('content').toString();
  await until(() => isConnected(here) && isConnected(there) && agree(), 'agreement');
  const editor = { organizationId: 'acme', documentId: 'home', editorId: 'body' };
  const data = `replaced ${there.document.getText('content').toString()}`;
  await tenant.must('/v2/crdt/update', { ...editor, type: 'text', data });
  await until(() => here.document.getText('content').toString() === data && agree(), 'the replacement');
  const before = typed(here);
  let isDead = false;
  const typing = typeWhile([here], () => !isDead);
  await until(() => typed(here) > before + 10, 'acknowledged words');
  const dead = first.kill('SIGKILL');
  here.close();
  const saved = here.acknowledged().slice(before);
  isDead = true;
  await Promise.all([dead, typing]);
  const [stored] = await tenant.must('/v2/crdt/get', editor);
  expect(saved.filter((word) => !stored.data.includes(word))).toEqual([]);
  const missing = () => saved.filter((word) => !there.document.getText('content').toString().includes(word));
  await until(() => missing().length === 0, 'every acknowledged word at the other process');
  there.close();
});
