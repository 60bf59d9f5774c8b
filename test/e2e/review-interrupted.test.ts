import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startSite } from '../../examples/site-server.ts';
import { isThorough, rounds } from '../run/rounds.ts';
import { until } from '../run/until.ts';
import { newPlace, type Place, startRedpen } from '../service/redpen-command.ts';

let site: Awaited<ReturnType<typeof startSite>>;
let place: Place;
beforeAll(async () => {
  site = await startSite();
  place = newPlace();
});
afterAll(async () => {
  await site.close();
  place.remove();
});

const MOMENTS = rounds(1, 7, 'MOMENTS');
const NOTHING = { files: [], processes: [] };
const words = (...more: string[]) => ['review', `${site.url}/`, '--agents', 'accessibility-checker', ...more];

test(`a review that is interrupted writes what is known, and at any of ${MOMENTS} moments it leaves no process and no file`, async () => {
  const began = performance.now();
  const late = startRedpen(place, [...words('--max-pages', '50', '--output', 'reports', '--format', 'json')]);
  await late.says('Accessibility checker:');
  late.child.kill('SIGINT');
  const { code: lateCode, stdout } = await late.ended;
  expect({ code: lateCode, stdout }).toEqual({
    code: 130,
    stdout: expect.stringContaining('interrupted'),
  });
  const report = JSON.parse(readFileSync(join(place.folder, 'reports', 'report.json'), 'utf8'));
  expect(report.pages).toContainEqual(expect.objectContaining({ status: 'reviewed' }));
  expect(report.notes).toContain('The review was interrupted: the report has what was known by then.');
  expect(place.leftovers()).toEqual(NOTHING);

  const lasts = performance.now() - began;
  const signals = ['SIGTERM', 'SIGHUP', 'SIGINT'] as const;
  for (let moment = 0; moment < MOMENTS; moment++) {
    const signal = signals[moment % signals.length]!;
    const running = startRedpen(place, words());
    await Promise.race([pause((lasts * (moment + 0.5)) / MOMENTS), running.ended]);
    running.child.kill(signal);
    const { code, stderr } = await running.ended;
    // Before the program has loaded, the signal ends it; after the last page, the review may have ended.
    expect([130, signal, 0], stderr).toContain(code);
    expect(place.leftovers(), `${signal} at moment ${moment}`).toEqual(NOTHING);
  }
});

test.runIf(isThorough)('a second interruption does not wait for the report', async () => {
  const running = startRedpen(place, words('--max-pages', '50'));
  await running.says('Accessibility checker:');
  running.child.kill('SIGINT');
  // Until it counts as another one.
  while (running.child.exitCode === null && running.child.signalCode === null) {
    await pause(50);
    running.child.kill('SIGINT');
  }
  const { code, stderr, stdout } = await running.ended;
  // A shell reports 130 too for a process that the signal ends, which one that arrives at its very end does.
  expect([130, 'SIGINT'], stdout + stderr).toContain(code);
  expect(place.leftovers()).toEqual(NOTHING);
});

test('the service of a killed command ends, and removes its folder', async () => {
  const running = startRedpen(place, words('--max-pages', '50'));
  await running.says('Accessibility checker:');
  expect(place.leftovers().processes).not.toEqual([]);
  running.child.kill('SIGKILL');
  await running.ended;
  await until(() => {
    const { files, processes } = place.leftovers();
    return files.length + processes.length === 0;
  }, 'the end of the service');
});
