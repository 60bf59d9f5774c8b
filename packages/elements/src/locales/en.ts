/** The texts of all elements; the other locales have the same keys. `{name}` stands for a value. */
export const en = {
  'severity.critical': 'Critical',
  'severity.high': 'High',
  'severity.medium': 'Medium',
  'severity.low': 'Low',
  'severity.info': 'Info',
  'severity.critical.letter': 'C',
  'severity.high.letter': 'H',
  'severity.medium.letter': 'M',
  'severity.low.letter': 'L',
  'severity.info.letter': 'i',

  'pins.picture': {
    one: 'Picture of the page {page} with {count} pin',
    other: 'Picture of the page {page} with {count} pins',
  },
  'pins.finding': 'Finding {number}, {severity}: {title} ({position} of {count})',
  'pins.comment': 'Comment {number}: {title} ({position} of {count})',
  'pins.pin': 'Pin {number}: {title} ({position} of {count})',
  'pins.none': 'There is no picture of this page.',
  'pins.broken': 'A part of the picture could not be loaded.',
  'pins.truncated': 'The page goes on below the picture.',
} as const;
