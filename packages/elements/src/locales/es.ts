import type { Messages } from '../element/words.ts';

export const es: Messages = {
  'severity.critical': 'Crítica',
  'severity.high': 'Alta',
  'severity.medium': 'Media',
  'severity.low': 'Baja',
  'severity.info': 'Info',
  'severity.critical.letter': 'C',
  'severity.high.letter': 'A',
  'severity.medium.letter': 'M',
  'severity.low.letter': 'B',
  'severity.info.letter': 'i',

  'pins.picture': {
    one: 'Imagen de la página {page} con {count} marca',
    other: 'Imagen de la página {page} con {count} marcas',
  },
  'pins.finding': 'Hallazgo {number}, gravedad {severity}: {title} ({position} de {count})',
  'pins.comment': 'Comentario {number}: {title} ({position} de {count})',
  'pins.pin': 'Marca {number}: {title} ({position} de {count})',
  'pins.none': 'No hay imagen de esta página.',
  'pins.broken': 'No se pudo cargar una parte de la imagen.',
  'pins.truncated': 'La página continúa debajo de la imagen.',
};
