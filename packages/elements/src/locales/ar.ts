import type { Messages } from '../element/words.ts';

export const ar: Messages = {
  'severity.critical': 'حرجة',
  'severity.high': 'عالية',
  'severity.medium': 'متوسطة',
  'severity.low': 'منخفضة',
  'severity.info': 'معلومة',
  'severity.critical.letter': 'ح',
  'severity.high.letter': 'ع',
  'severity.medium.letter': 'م',
  'severity.low.letter': 'خ',
  'severity.info.letter': 'i',

  'pins.picture': {
    zero: 'صورة الصفحة {page} بلا علامات',
    one: 'صورة الصفحة {page} مع علامة واحدة',
    two: 'صورة الصفحة {page} مع علامتين',
    few: 'صورة الصفحة {page} مع {count} علامات',
    many: 'صورة الصفحة {page} مع {count} علامة',
    other: 'صورة الصفحة {page} مع {count} علامة',
  },
  'pins.finding': 'ملاحظة {number}، الخطورة {severity}: {title} ({position} من {count})',
  'pins.comment': 'تعليق {number}: {title} ({position} من {count})',
  'pins.pin': 'علامة {number}: {title} ({position} من {count})',
  'pins.none': 'لا توجد صورة لهذه الصفحة.',
  'pins.broken': 'تعذّر تحميل جزء من الصورة.',
  'pins.truncated': 'الصفحة تمتد أسفل الصورة.',
};
