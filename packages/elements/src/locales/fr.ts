import type { Messages } from '../element/words.ts';

export const fr: Messages = {
  'severity.critical': 'Critique',
  'severity.high': 'Élevée',
  'severity.medium': 'Moyenne',
  'severity.low': 'Faible',
  'severity.info': 'Info',
  'severity.critical.letter': 'C',
  'severity.high.letter': 'É',
  'severity.medium.letter': 'M',
  'severity.low.letter': 'F',
  'severity.info.letter': 'i',

  'pins.picture': {
    one: 'Image de la page {page} avec {count} repère',
    other: 'Image de la page {page} avec {count} repères',
  },
  'pins.finding': 'Constat {number}, gravité {severity} : {title} ({position} sur {count})',
  'pins.comment': 'Commentaire {number} : {title} ({position} sur {count})',
  'pins.pin': 'Repère {number} : {title} ({position} sur {count})',
  'pins.none': 'Il n’y a pas d’image de cette page.',
  'pins.broken': 'Une partie de l’image n’a pas pu être chargée.',
  'pins.truncated': 'La page continue sous l’image.',
};
