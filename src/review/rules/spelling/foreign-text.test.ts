import { afterAll, expect, test } from 'vitest';
import { isForeign, nameLanguages } from './foreign-text.ts';
import { sharedSpeller } from './speller.ts';
import { tokensOf } from './word-tokens.ts';

afterAll(() => sharedSpeller().close());

async function judge(text: string): Promise<boolean | undefined> {
  const tokens = tokensOf(text);
  const words = [...new Set(tokens.map(({ word }) => word))];
  const verdicts = await sharedSpeller().lookUp(words);
  const known = new Map(words.map((word, index) => [word, verdicts[index]!.known]));
  return isForeign(tokens, (word) => known.get(word)!);
}

test.each([
  [
    'German',
    'Wir liefern alle Bestellungen innerhalb von drei Tagen und der Versand ist ab fünfzig Euro kostenlos.',
  ],
  [
    'French',
    'Nous livrons toutes les commandes en trois jours et la livraison est gratuite à partir de cinquante euros.',
  ],
  [
    'Spanish',
    'Entregamos todos los pedidos en tres días y el envío es gratuito a partir de cincuenta euros.',
  ],
  ['Italian', 'Consegniamo tutti gli ordini entro tre giorni e la spedizione è gratuita da cinquanta euro.'],
  ['Dutch', 'Wij leveren alle bestellingen binnen drie dagen en de verzending is gratis vanaf vijftig euro.'],
  ['Polish', 'Wszystkie zamówienia dostarczamy w ciągu trzech dni, a wysyłka jest bezpłatna od stu euro.'],
  ['Turkish', 'Tüm siparişleri üç gün içinde teslim ediyoruz ve elli eurodan itibaren kargo ücretsizdir.'],
])('%s is not taken for English', async (_, text) => {
  expect(await judge(text)).toBe(true);
});

test.each([
  ['plain', 'We deliver all orders within three days, and delivery is free if you spend more than that.'],
  [
    'full of slips',
    'We delivr all ordrs withn thre days and delivry is free form fifty euros, pleese note the hollidays.',
  ],
  [
    'of the trade',
    'install kubectl and etcd, configure the ingress with nginx, then apply the manifest and check the pods',
  ],
  ['a menu', 'home shop about contact login imprint privacy cookies sitemap blog careers press newsletter'],
])('English that is %s stays English', async (_, text) => {
  expect(await judge(text)).toBe(false);
});

test.each([
  'Versand ist kostenlos',
  'Ana Sousa, Grzegorz Brzęczyszczykiewicz, Jürgen Müller, Siobhán Ní Bhriain, Þórdís Jónsdóttir, Nguyễn Văn',
])('too few words, and names, are not classified: %s', async (text) => {
  expect(await judge(text)).toBeUndefined();
});

test('languages have names for people, even those with invalid tags', () => {
  expect(nameLanguages(['de'])).toBe('German (de)');
  expect(nameLanguages(['fr-CA', 'und'])).toBe(
    'Canadian French (fr-CA), a language that the page does not name',
  );
  expect(nameLanguages(['no such <b>language</b> at all, and a long one at that'])).toBe(
    'no such <b>language</b> at all, and',
  );
  expect(nameLanguages(['de', 'fr', 'es', 'it', 'nl', 'pl'])).toMatch(/^German.*Dutch \(nl\) and others$/);
});
