import type { Decision } from '../../shapes/memory/judgment.ts';

/** Longer replies weigh things, which their first words do not tell. */
const LONGEST = 240;

/** Whom a reply addresses, and what it is decorated with, before it says anything. */
const ADDRESS = /^(?:\s|\{\{[^{}]*\}\}|@[\p{L}\p{N}._-]+[:,]?|[*_>"'“”‘’`(])+/u;
const TURNS = /\b(?:but|however|although|though|except|unless|only if|not sure)\b|\?\s*$/;

const WHO = /(?:(?:i|we)\s+)?(?:(?:really|fully|totally|completely|strongly|absolutely|also|very much)\s+)?/;
const THIS =
  /(?:(?:this|that|it)(?:\s+is|['’]s)\s+|you(?:\s+are|['’]re)\s+)?(?:(?:really|absolutely|clearly|definitely|a|an)\s+)*/;
const END = /(?=$|[\s.,;:!)\]"'’”])/;

const rule = (...parts: (RegExp | string)[]): RegExp =>
  new RegExp(
    `^${parts.map((part) => (typeof part === 'string' ? part : part.source)).join('')}${END.source}`,
    'u',
  );

const DISAGREES = [
  rule(WHO, 'disagree(?:d)?'),
  rule(WHO, "(?:do not|don['’]?t|cannot|can['’]?t)\\s+(?:agree|think so)"),
  rule(THIS, 'false[\\s-](?:positive|alarm)'),
  rule(THIS, 'not\\s+(?:(?:really|a|an|actually|real)\\s+)*(?:issue|problem|bug|error|mistake|defect|typo)'),
  rule(THIS, '(?:wrong|incorrect|not\\s+(?:true|correct|right|valid)|invalid)'),
  rule("(?:won['’]?t fix|works as (?:intended|designed|expected)|by design|as intended)"),
  rule(THIS, '(?:intended|intentional|deliberate)\\s*[.!]*$'),
  rule('(?:-1|👎)'),
  /^(?:no|nope|nah)[\s.!]*$/u,
];

const ENDORSES = [
  rule('(?:lgtm|looks (?:good|great|fine)(?: to me)?|ship it|well done|love (?:it|this)|great (?:job|work))'),
  /^(?:👏|🎉|❤️|🚀)/u,
];

const AGREES = [
  rule(WHO, 'agree(?:d)?'),
  rule(THIS, '(?:good|great|nice|excellent)\\s+(?:catch|find|point|spot|one)'),
  rule(THIS, '(?:right|correct|true|valid|exactly)\\s*[.!]*$'),
  rule('(?:\\+1|👍)'),
  rule('(?:confirmed|same here|well spotted)'),
  /^(?:yes|yep|yeah|exactly|absolutely|definitely|indeed)[\s.!]*$/u,
];

/** What a reply decides about what it replies to, where it plainly says so; a comment like any other where not. */
export function decisionOfReply(
  text: string,
): Extract<Decision, 'agree' | 'disagree' | 'endorse' | 'comment'> {
  const plain = text.normalize('NFKC').trim().toLowerCase().replace(ADDRESS, '');
  if (plain.length === 0 || plain.length > LONGEST || TURNS.test(plain)) return 'comment';
  const says = (rules: RegExp[]) => rules.some((one) => one.test(plain));
  if (says(DISAGREES)) return 'disagree';
  if (says(ENDORSES)) return 'endorse';
  return says(AGREES) ? 'agree' : 'comment';
}
