import type { Messages } from '../element/words.ts';

export const ja: Messages = {
  'severity.critical': '重大',
  'severity.high': '高',
  'severity.medium': '中',
  'severity.low': '低',
  'severity.info': '情報',
  'severity.critical.letter': '重',
  'severity.high.letter': '高',
  'severity.medium.letter': '中',
  'severity.low.letter': '低',
  'severity.info.letter': 'i',

  'pins.picture': { other: 'ページ {page} の画像（ピン {count} 個）' },
  'pins.finding': '指摘 {number}、重要度 {severity}：{title}（{position}/{count}）',
  'pins.comment': 'コメント {number}：{title}（{position}/{count}）',
  'pins.pin': 'ピン {number}：{title}（{position}/{count}）',
  'pins.none': 'このページの画像はありません。',
  'pins.broken': '画像の一部を読み込めませんでした。',
  'pins.truncated': 'ページは画像の下に続きます。',
};
