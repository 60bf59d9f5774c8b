import { pino } from 'pino';
import { expect, test } from 'vitest';
import { createGuard } from '../../outside/net/ssrf-guard.ts';
import { logRefusals } from './log-refusals.ts';

function logged() {
  const lines: { target: string; msg: string }[] = [];
  const log = pino({ level: 'info' }, { write: (line: string) => void lines.push(JSON.parse(line)) });
  const clock = { now: 60_000_000 };
  return { lines, clock, onRefused: logRefusals(log, () => clock.now) };
}

test('each refused internal host is logged once in ten minutes, with how to allow it', async () => {
  const { lines, clock, onRefused } = logged();
  const resolve = async () => [{ address: '10.0.0.7', family: 4 }];
  const guard = createGuard({ allowHosts: [], onRefused, resolve });
  for (let time = 0; time < 3; time++) {
    expect(guard.checkUrl('http://127.0.0.1:8090/')).toBe('host');
    await expect(guard.dial('staging.example', 443)).rejects.toThrow('could not be reached');
    expect(guard.checkUrl('https://[::1]/')).toBe('host');
  }
  expect(lines.map(({ target }) => target)).toEqual(['127.0.0.1:8090', 'staging.example:443', '[::1]:443']);
  expect(lines[0]!.msg).toContain('redpen allow-host');
  clock.now += 600_000;
  guard.checkUrl('http://127.0.0.1:8090/');
  expect(lines).toHaveLength(4);
  guard.checkUrl('ftp://127.0.0.1/');
  guard.checkUrl('http://user@example.com/');
  expect(lines).toHaveLength(4);
});

test('the number of lines per minute is limited', () => {
  const { lines, clock, onRefused } = logged();
  for (let port = 1; port <= 500; port++) onRefused({ hostname: '10.0.0.1', port, why: 'host' });
  expect(lines).toHaveLength(20);
  clock.now += 60_000;
  onRefused({ hostname: '10.0.0.1', port: 501, why: 'host' });
  expect(lines).toHaveLength(21);
});
