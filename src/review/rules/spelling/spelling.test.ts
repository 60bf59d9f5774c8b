import { afterAll, expect, test } from 'vitest';
import type { PageWords } from '../../../lib/page-words/page-words.ts';
import { collectSiteWords, readSiteWords } from './site-words.ts';
import { sharedSpeller } from './speller.ts';
import { type ProofreadOptions, proofread } from './spelling.ts';

afterAll(() => sharedSpeller().close());

type Piece = string | { text: string; marks: string[]; lang?: string };

/** The words of a page of passages, each of one or more pieces. */
function pageOf(lang: string, ...passages: Piece[][]): PageWords {
  const words: PageWords = { lang, text: '', runs: [], labels: [] };
  for (const [passage, pieces] of passages.entries()) {
    if (words.text !== '') words.text += ' ';
    for (const piece of pieces) {
      const {
        text,
        marks,
        lang: own = lang,
      } = typeof piece === 'string' ? { text: piece, marks: [] } : piece;
      const from = words.text.length;
      words.text += text;
      words.runs.push({ from, to: words.text.length, passage, lang: own, marks });
    }
  }
  return words;
}

const read = (words: PageWords, options?: ProofreadOptions) => proofread(words, sharedSpeller(), options);
const quotes = async (words: PageWords, options?: ProofreadOptions) =>
  (await read(words, options)).findings.map(({ targetText, title }) => targetText ?? title);

const ENGLISH = 'We deliver all orders within three days, and delivery is free if you spend fifty euros.';

test.each([
  ['en', `${ENGLISH} Your satisfacton is improtant to us.`, ['satisfacton', 'improtant']],
  [
    'de',
    'Wir liefern alle Bestellungen in drei Tagen, und der Versannd ist ab fünfzig Euro kosetnlos.',
    ['Versannd', 'kosetnlos'],
  ],
  [
    'fr',
    'Nous livrons toutes les comandes en trois jours et la livraison est gratutie à partir de cinquante euros.',
    ['comandes', 'gratutie'],
  ],
  [
    'es',
    'Entregamos todos los peddidos en tres días y el envío es gratiuto a partir de cincuenta euros.',
    ['peddidos', 'gratiuto'],
  ],
  [
    'it',
    'Consegniamo tutti gli orddini entro tre giorni e la spedizoine è gratuita da cinquanta euro.',
    ['orddini', 'spedizoine'],
  ],
  [
    'nl',
    'Wij leveren alle bestelilngen binnen drie dagen en de verzednding is gratis vanaf vijftig euro.',
    ['bestelilngen', 'verzednding'],
  ],
  [
    'pt-BR',
    'Entregamos todos os peddidos em três dias e o envio é gratiuto a partir de cinquenta reais.',
    ['peddidos', 'gratiuto'],
  ],
])(
  'misspelled words are found in %s, whether the page names its language, none, or a wrong one',
  async (lang, text, wrong) => {
    expect(await quotes(pageOf(lang, [text]))).toEqual(wrong);
    expect(await quotes(pageOf('', [text]))).toEqual(wrong);
    if (lang !== 'en') expect(await quotes(pageOf('en', [text]))).toEqual(wrong);
  },
);

test('text in a language without a dictionary is counted and not checked', async () => {
  const swedish = 'Vi levererar alla beställningar inom tre dagar och frakten är gratis från femtio euro.';
  const { findings, wordsChecked, passedOver, languages } = await read(pageOf('en', [ENGLISH], [swedish]));
  expect([findings, wordsChecked, languages]).toEqual([[], 16, ['en']]);
  expect([...passedOver.keys()]).toEqual(['sv']);
});

test('a word in code is right everywhere on its page, unless it is a listed misspelling in a sample', async () => {
  const code = { text: 'refrash_adress', marks: ['code'] };
  expect(await quotes(pageOf('en', [`${ENGLISH} Call refrash now.`, code]))).toEqual([]);
  const { words, add } = collectSiteWords();
  add((await import('parse5')).parse('<pre># recieve it\nrefrash()</pre>'));
  const text = `${ENGLISH} You will refrash and recieve it.`;
  expect(await quotes(pageOf('en', [text]), { siteWords: words })).toEqual(['recieve']);
  expect(await quotes(pageOf('en', [text]))).toEqual(expect.arrayContaining(['recieve']));
});

test('a word that many pages use in different sentences is right, and a slip in a footer of all pages is not', async () => {
  const { parse } = await import('parse5');
  const collector = collectSiteWords();
  const uses = [
    'Open the vaccum first.',
    'A vaccum is idle.',
    'Each vaccum frees pages.',
    'See vaccum again.',
  ];
  for (const [index, use] of uses.entries())
    collector.add(
      parse(
        `<p>Page ${index}. ${use} ${use.replace('vaccum', 'tablesync')}</p><footer>All rigths reserved.</footer>`,
      ),
    );
  const siteWords = readSiteWords(collector.store());
  const page = pageOf('en', [`${ENGLISH} It needs tablesync.`], ['All rigths reserved, as always.']);
  expect(await quotes(page, { siteWords })).toEqual(['rigths']);
});

test('own words are right in any case and with a genitive', async () => {
  const page = pageOf('en', [`${ENGLISH} Ask the devlivery of Devlivery’s team.`]);
  expect(await quotes(page, { ownWords: ['DevLivery'] })).toEqual([]);
});

test('repeated words count with the same mark-up, in a sentence, and where grammar does not need them', async () => {
  const repeats = async (lang: string, ...pieces: Piece[]) =>
    (await read(pageOf(lang, pieces))).findings.filter(({ issueType }) => issueType === 'repeated-word');
  expect(await repeats('en', 'We send the the parcel in three days.')).toMatchObject([
    { targetText: 'the the' },
  ]);
  expect(await repeats('de', 'Wir senden das Paket mit mit der Post in drei Tagen.')).toHaveLength(1);
  expect(
    await repeats('en', 'Read the ', { text: 'the', marks: ['italic'] }, ' of the page in English.'),
  ).toEqual([]);
  expect(await repeats('en', 'He said that that parcel had had a label before.')).toEqual([]);
  expect(await repeats('de', 'Es gibt Leute, die die Post nicht mögen, und das das ganze Jahr.')).toEqual([]);
  expect(await repeats('en', 'Home Home')).toEqual([]);
  expect(await repeats('en', 'Use The the parcel in three days.')).toEqual([]);
});

test('doubtful words are folded into one finding of the page, and have one cause on the site', async () => {
  const page = pageOf('en', [`${ENGLISH} The service cupsd is here.`]);
  const folded = (await read(page)).findings.filter(({ issueType }) => issueType === 'possible-misspelling');
  expect(folded).toMatchObject([
    {
      severity: 'info',
      cause: 'possible-misspelling',
      findingType: 'page',
      description: expect.stringContaining('cupsd'),
    },
  ]);
  expect(folded[0]!.confidence).toBeLessThan(85);
});

test('a finding names its cause by the language and the word', async () => {
  const { findings } = await read(
    pageOf('en', ['Recieve our news every week, and recieve a gift with each order.']),
  );
  expect(findings.map(({ cause, title }) => [cause, title])).toEqual([
    ['spelling en recieve', 'Misspelled word: Recieve'],
    ['spelling en recieve', 'Misspelled word: recieve'],
  ]);
});

test('names, terms formed by rule, functions and words of other languages are no mistakes', async () => {
  expect(
    await quotes(
      pageOf('en', [
        `${ENGLISH} Subtransactions and unquoted tablespaces are noded; call iif() or ask Grzegorz Brzeczyszczykiewicz at Kubernetes.`,
      ]),
    ),
  ).toEqual([]);
  expect(
    await quotes(
      pageOf('de', [
        'Der Bootloader und das Dateisystemverzeichnis liegen auf dem Server, den der Provider betreibt.',
      ]),
    ),
  ).toEqual([]);
});

test('verbs of nouns and compounds with English parts are right in German and Dutch', async () => {
  const german =
    'Wir liefern alle Bestellungen in drei Tagen. Die Entwickler paketieren die Programme und lesen Bugreports.';
  expect(await quotes(pageOf('de', [german]))).toEqual([]);
  const dutch =
    'Wij leveren alle bestellingen binnen drie dagen. De beheerder kiest de logniveaus van het programma zelf.';
  expect(await quotes(pageOf('nl', [dutch]))).toEqual([]);
});
