import { expect, test } from 'vitest';
import { usualReport } from '../fixtures/sample-report.ts';
import { reportFormats } from './report-formats.ts';

test('every format has a file of its own', () => {
  const names = Object.values(reportFormats).map(({ fileName }) => fileName);
  expect(new Set(names).size).toBe(names.length);
});

test('a format writes the same report each time, and leaves the data as it is', () => {
  const report = usualReport();
  for (const { render } of Object.values(reportFormats)) expect(render(report, {})).toBe(render(report, {}));
  expect(report).toEqual(usualReport());
});

test('the order of the fields does not change the JSON', () => {
  const report = usualReport();
  const reversed = Object.fromEntries(Object.entries(report).toReversed()) as unknown as typeof report;
  expect(reportFormats.json.render(reversed, {})).toBe(reportFormats.json.render(report, {}));
  expect(Object.keys(JSON.parse(reportFormats.json.render(reversed, {}))).slice(0, 3)).toEqual([
    'schema',
    'redpen',
    'id',
  ]);
});
