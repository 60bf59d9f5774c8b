import { REPORT_SCHEMA, type Report, type ReportFinding } from '../../src/report/report.ts';

/** A finding of a report, with what a test does not care about. */
export const madeFinding = (fields: Partial<ReportFinding> = {}): ReportFinding => ({
  id: 'f1',
  number: 1,
  title: 'A fault',
  description: 'It is wrong.',
  severity: 'high',
  issueType: 'fault',
  suggestion: 'Correct it.',
  confidence: 1,
  targetText: '',
  occurrence: 1,
  context: { before: '', after: '' },
  htmlSelector: '',
  htmlSnippet: '',
  url: '',
  pageUrl: 'http://site.example/',
  agents: ['broken-links'],
  alsoKnownAs: [],
  ...fields,
});

export const madeReport = (fields: Partial<Report> = {}): Report => ({
  schema: REPORT_SCHEMA,
  redpen: '0.0.0',
  id: 'r1',
  startedAt: 1,
  completedAt: 2,
  verdict: 'findings',
  urls: ['http://site.example/'],
  deviceType: 'desktop',
  agents: [],
  pages: [],
  findings: [],
  fixed: [],
  rules: {},
  notes: [],
  ...fields,
});
