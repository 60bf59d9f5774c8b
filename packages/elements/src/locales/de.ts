import type { Messages } from '../element/words.ts';

export const de: Messages = {
  'severity.critical': 'Kritisch',
  'severity.high': 'Hoch',
  'severity.medium': 'Mittel',
  'severity.low': 'Niedrig',
  'severity.info': 'Info',
  'severity.critical.letter': 'K',
  'severity.high.letter': 'H',
  'severity.medium.letter': 'M',
  'severity.low.letter': 'N',
  'severity.info.letter': 'i',

  'pins.picture': {
    one: 'Bild der Seite {page} mit {count} Markierung',
    other: 'Bild der Seite {page} mit {count} Markierungen',
  },
  'pins.finding': 'Befund {number}, {severity}: {title} ({position} von {count})',
  'pins.comment': 'Kommentar {number}: {title} ({position} von {count})',
  'pins.pin': 'Markierung {number}: {title} ({position} von {count})',
  'pins.none': 'Von dieser Seite gibt es kein Bild.',
  'pins.broken': 'Ein Teil des Bildes konnte nicht geladen werden.',
  'pins.truncated': 'Die Seite geht unter dem Bild weiter.',
};
