import { expect, test } from 'vitest';
import { fillTemplate, placeholders } from './template.ts';

const values = {
  restApiData: 'REST',
  variables: { brand: 'Acme', 'a.b': 'dotted', tone: { formal: true } },
  userContext: { market: 'EU', rank: 3, beta: false },
};

test('a token is filled by name, by path, or from the variables', () => {
  expect(
    fillTemplate('{{restApiData}} {{ brand }} {{variables.brand}} {{userContext.market}}', values),
  ).toEqual({
    text: 'REST Acme Acme EU',
    missing: [],
  });
});

test('numbers, booleans and objects are filled in as text', () => {
  expect(
    fillTemplate('{{userContext.rank}} {{userContext.beta}} {{tone}} {{tone.formal}}', values).text,
  ).toBe('3 false {"formal":true} true');
});

test('a name may contain a dot', () => {
  expect(fillTemplate('{{variables.a.b}} {{a.b}}', values).text).toBe('dotted dotted');
});

test('a missing value becomes empty and is reported once', () => {
  expect(fillTemplate('[{{x}}] [{{x}}] [{{variables.y}}]', values)).toEqual({
    text: '[] [] []',
    missing: ['x', 'variables.y'],
  });
});

test('a value that looks like a token is not expanded', () => {
  expect(fillTemplate('{{variables.v}}', { variables: { v: '{{secret}}' }, secret: 's' }).text).toBe(
    '{{secret}}',
  );
});

test('inherited properties are not values', () => {
  const inherited =
    '{{constructor}}{{constructor.name}}{{__proto__}}{{variables.toString}}{{restApiData.length}}';
  expect(fillTemplate(inherited, values).text).toBe('');
});

test('single braces and dollar signs stay as they are', () => {
  const text = "{brand} $& $1 $' {{brand}}";
  expect(fillTemplate(text, { variables: { brand: "$&$'" } }).text).toBe("{brand} $& $1 $' $&$'");
});

test('placeholders lists each name once, in order', () => {
  expect(placeholders('{{ b }} {{a}} {{b}} {c}')).toEqual(['b', 'a']);
});
