import { expect, test } from 'vitest';
import { madeFinding, madeReport } from '../../test/fakes/made-report.ts';
import { annotationsOf } from './annotations.ts';
import { outputsOf } from './print-results.ts';

test('the text and the properties of an annotation are escaped', () => {
  const finding = madeFinding({
    title: '50% off: a, b\r\n::error::c',
    description: 'One: 100%\nTwo',
    suggestion: '',
    severity: 'medium',
    source: { file: 'content/a,b:c%.md', line: 7 },
  });
  expect(annotationsOf({ findings: [finding] })).toEqual([
    '::warning file=content/a%2Cb%3Ac%25.md,line=7,title=50%25 off%3A a%2C b%0D%0A%3A%3Aerror%3A%3Ac::http://site.example/%0AOne: 100%25%0ATwo',
  ]);
});

test('a finding without a file has only a title', () => {
  expect(annotationsOf({ findings: [madeFinding({ title: 'No title', severity: 'info' })] })).toEqual([
    '::notice title=No title::http://site.example/%0AIt is wrong.%0ACorrect it.',
  ]);
});

test('there are at most ten of a level, the gravest first, and none of what does not count', () => {
  const findings = [
    ...Array.from({ length: 12 }, (_, index) => madeFinding({ title: `high ${index}`, severity: 'high' })),
    ...Array.from({ length: 12 }, (_, index) => madeFinding({ title: `low ${index}`, severity: 'low' })),
    madeFinding({ severity: 'medium', ignored: 'baseline' }),
    madeFinding({ severity: 'medium', ignored: 'decision' }),
  ];
  const commands = annotationsOf({ findings });
  expect(commands.map((command) => /^::(\w+) title=([^:]*)::/.exec(command)?.slice(1))).toEqual([
    ...Array.from({ length: 10 }, (_, index) => ['error', `high ${index}`]),
    ...Array.from({ length: 10 }, (_, index) => ['notice', `low ${index}`]),
  ]);
});

test('with a gate, only what fails it is an error', () => {
  const gate = { failOn: 'critical', onlyNew: false, passed: false, reasons: [] } as const;
  const findings = [
    madeFinding({ title: 'a', severity: 'critical', failsGate: true }),
    madeFinding({ title: 'b', severity: 'high' }),
    madeFinding({ title: 'c', severity: 'low' }),
  ];
  expect(
    annotationsOf({ findings, gate: { ...gate, reasons: [] } }).map((line) => line.split(' ')[0]),
  ).toEqual(['::error', '::warning', '::notice']);
});

test('the outputs count what is open', () => {
  const findings = [
    madeFinding({ state: 'new', failsGate: true }),
    madeFinding({ state: 'still_there' }),
    madeFinding({ state: 'new', ignored: 'decision' }),
  ];
  const gate = { failOn: 'high', onlyNew: true, passed: false, reasons: ['One.'] } as const;
  const report = madeReport({ findings, gate: { ...gate, reasons: ['One.'] } });
  expect(outputsOf(report)).toEqual([
    'verdict=findings',
    'findings=2',
    'new=1',
    'fixed=0',
    'failing=1',
    'passed=false',
  ]);
  expect(outputsOf({ ...report, verdict: 'x\npassed=true' as 'clean' })[0]).toBe('verdict=unknown');
});
