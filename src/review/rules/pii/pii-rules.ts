import type { RuleEntry } from '../../../shapes/agents/rule.ts';

const FIX = 'Remove it from the page, or show it only to those who may see it.';
const of = (title: string, severity: RuleEntry['severity'], what: string): RuleEntry => ({
  title: `Personal data: ${title}`,
  help: `${what} of a private person stands on the page or in its source. ${FIX}`,
  severity,
});

/** The issue types of the rules about personal data. */
export const piiRules = {
  'pii-card-number': of('payment card number', 'critical', 'The number of a payment card'),
  'pii-iban': of('bank account number (IBAN)', 'critical', 'The IBAN'),
  'pii-bank-account': of('bank account number', 'critical', 'The number of a bank account'),
  'pii-email': {
    ...of('private e-mail address', 'medium', 'The e-mail address'),
    otherwise: [
      {
        severity: 'low',
        when: 'The page offers to write to the address, and does not say that it is private.',
      },
    ],
  },
  'pii-phone': of('private telephone number', 'medium', 'The telephone number'),
  'pii-ssn': of('US social security number', 'critical', 'The social security number'),
  'pii-national-insurance': of('UK National Insurance number', 'critical', 'The National Insurance number'),
  'pii-nhs-number': of('NHS number', 'critical', 'The NHS number'),
  'pii-tax-id': of('tax number', 'critical', 'The tax number'),
  'pii-insurance-number': of('insurance number', 'critical', 'The number of an insurance'),
  'pii-identity-card': of('number of an identity card', 'critical', 'The number of the identity card'),
  'pii-identity-number': of('national identity number', 'critical', 'The national identity number'),
  'pii-passport': of('passport number', 'critical', 'The number of the passport'),
  'pii-driving-licence': of('number of a driving licence', 'critical', 'The number of the driving licence'),
  'pii-licence-plate': of('licence plate', 'high', 'The licence plate'),
  'pii-medical-record': of('number of a medical record', 'critical', 'The number of a medical record'),
  'pii-birth-date': of('date of birth', 'high', 'The date of birth'),
  'pii-address': of('home address', 'high', 'The home address'),
  'pii-health': of('health data', 'critical', 'A diagnosis or treatment'),
} satisfies Record<string, RuleEntry>;

type PiiIssue = keyof typeof piiRules;
/** The issue type of personal data without `pii-`. */
export type PiiKind = PiiIssue extends `pii-${infer Kind}` ? Kind : never;
