import type { Decision } from '../../shapes/memory/judgment.ts';

/** Longer replies tend to weigh arguments, so their first words say too little. */
const MAX_LENGTH = 240;

/** Mentions, quotes and markup before the first word. */
const PREFIX = /^(?:\s|\{\{[^{}]*\}\}|@[\p{L}\p{N}._-]+[:,]?|[*_>"'“”‘’`(])+/u;
/** Words that qualify or question what was said before. */
const QUALIFIES = /\b(?:but|however|although|though|except|unless|only if|not sure)\b|\?\s*$/;

const SPEAKER =
  /(?:(?:i|we)\s+)?(?:(?:really|fully|totally|completely|strongly|absolutely|also|very much)\s+)?/;
const SUBJECT =
  /(?:(?:this|that|it)(?:\s+is|['’]s)\s+|you(?:\s+are|['’]re)\s+)?(?:(?:really|absolutely|clearly|definitely|a|an)\s+)*/;
const END = /(?=$|[\s.,;:!)\]"'’”])/;

const rule = (...parts: (RegExp | string)[]): RegExp =>
  new RegExp(
    `^${parts.map((part) => (typeof part === 'string' ? part : part.source)).join('')}${END.source}`,
    'u',
  );

const DISAGREES = [
  rule(SPEAKER, 'disagree(?:d)?'),
  rule(SPEAKER, "(?:do not|don['’]?t|cannot|can['’]?t)\\s+(?:agree|think so)"),
  rule(SUBJECT, 'false[\\s-](?:positive|alarm)'),
  rule(
    SUBJECT,
    'not\\s+(?:(?:really|a|an|actually|real)\\s+)*(?:issue|problem|bug|error|mistake|defect|typo)',
  ),
  rule(SUBJECT, '(?:wrong|incorrect|not\\s+(?:true|correct|right|valid)|invalid)'),
  rule("(?:won['’]?t fix|works as (?:intended|designed|expected)|by design|as intended)"),
  rule(SUBJECT, '(?:intended|intentional|deliberate)\\s*[.!]*$'),
  rule('(?:-1|👎)'),
  /^(?:no|nope|nah)[\s.!]*$/u,
];

const ENDORSES = [
  rule('(?:lgtm|looks (?:good|great|fine)(?: to me)?|ship it|well done|love (?:it|this)|great (?:job|work))'),
  /^(?:👏|🎉|❤️|🚀)/u,
];

const AGREES = [
  rule(SPEAKER, 'agree(?:d)?'),
  rule(SUBJECT, '(?:good|great|nice|excellent)\\s+(?:catch|find|point|spot|one)'),
  rule(SUBJECT, '(?:right|correct|true|valid|exactly)\\s*[.!]*$'),
  rule('(?:\\+1|👍)'),
  rule('(?:confirmed|same here|well spotted)'),
  /^(?:yes|yep|yeah|exactly|absolutely|definitely|indeed)[\s.!]*$/u,
];

/** The decision that a reply states in plain words about the comment that it answers; otherwise `comment`. */
export function decisionOfReply(
  text: string,
): Extract<Decision, 'agree' | 'disagree' | 'endorse' | 'comment'> {
  const plain = text.normalize('NFKC').trim().toLowerCase().replace(PREFIX, '');
  if (plain.length === 0 || plain.length > MAX_LENGTH || QUALIFIES.test(plain)) return 'comment';
  const matches = (rules: RegExp[]) => rules.some((pattern) => pattern.test(plain));
  if (matches(DISAGREES)) return 'disagree';
  if (matches(ENDORSES)) return 'endorse';
  return matches(AGREES) ? 'agree' : 'comment';
}
