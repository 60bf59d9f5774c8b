import {
  any,
  automatic,
  before,
  drop,
  dropOrReplace,
  gap,
  machine,
  order,
  reviewer,
  rules,
} from './english-words.ts';
import { type Signal, signal } from './signal.ts';

/** Orders to drop the instructions, and words that address the reader as a machine. */
export const overrideSignals: readonly Signal[] = [
  signal(
    'drop-all',
    'override',
    3,
    `\\b${drop} (?:all|any|every|each)(?: of)?(?: the| your| my| these| those)? ?${gap(24)}(?:${before} )?${gap(20)}\\b${any('instructions?', 'prompts?', 'directives?', 'programming', 'system (?:rules|guidelines)')}\\b`,
  ),
  signal(
    'drop-all',
    'override',
    3,
    `\\b${drop} (?:your|the system|system|developer|any system) ${gap(24)}\\b${any('instructions?', 'prompts?', 'messages?', 'directives?', 'programming', 'guidelines?', 'training', 'system rules', 'safety rules')}\\b`,
  ),
  signal('drop', 'override', 2, `\\b${dropOrReplace} ${gap(30)}\\b${before}\\b${gap(24)}\\b${rules}\\b`),
  signal(
    'drop',
    'override',
    2,
    `\\b${drop} ${gap(24)}\\b${rules}\\b${gap(12)}\\b${any('above', 'before', 'given (?:to you|before|earlier)', 'you (?:have been |were |have )?(?:given|received|got|told|have)', 'so far')}`,
  ),
  signal(
    'drop',
    'override',
    1,
    `\\b${drop} (?:all |everything |anything |what(?:ever)? |the |of )*(?:${before}|you (?:were|have been) told|said before|that came before)\\b`,
  ),
  signal(
    'drop',
    'override',
    2,
    `\\b${any('forget', 'disregard', 'ignore')} (?:everything|all|anything|whatever|what) (?:that )?(?:you (?:were|have been|had been|'ve been)|has been|was) (?:told|instructed|taught|said|given|asked)(?! about)`,
  ),
  signal(
    'drop',
    'override',
    1,
    `\\b${any('forget', 'disregard', 'ignore')} (?:everything|all|anything|whatever|what) (?:that )?(?:you know|above|before)`,
  ),
  signal(
    'new-rules',
    'override',
    2,
    `\\b(?:your )?(?:new|updated|real|actual|true|revised|additional|following) ${any('instructions?', 'directives?', 'objective', 'system prompt', 'prompt', 'task')} ?(?:for you|is|are|follows?|:|below)`,
  ),
  signal(
    'new-rules',
    'override',
    2,
    `\\b${any('system', 'admin(?:istrator)?', 'developer', 'security', 'policy', 'instruction', 'priority', 'prompt')} ?[-_]?override\\b`,
  ),
  signal(
    'drop',
    'override',
    2,
    `\\b(?:this|these|the following)(?: \\w+){0,3} (?:overrides?|supersedes?|replaces?|takes? (?:precedence|priority) over) ${gap(30)}(?:instructions?|prompts?|rules)`,
  ),
  signal(
    'addressed',
    'override',
    2,
    `\\b(?:dear|attention|hey|hello|hi|note (?:to|for)|notice (?:to|for)|message (?:to|for)|memo (?:to|for)|instructions? (?:to|for)|info(?:rmation)? for|directive (?:to|for)|reminder (?:to|for)|warning (?:to|for)|to|for|calling|@)[ :,]{0,3}(?:all |any |every |the |each |our |my |this )*(?:${automatic} (?:${machine}|${reviewer})|${machine}(?: (?:${machine}|${reviewer}|systems?|reading|processing|reviewing|analy[sz]ing|that|who))?)\\b${gap(50)}(?:[:!,;.—-]|\\b(?:reading|processing|reviewing|analy[sz]ing|that|who|which)\\b)${'\\s{0,4}'}`,
  ),
  signal(
    'addressed',
    'override',
    2,
    `(?:^|[.!?\\n>"'(\\[*#;] ?)(?:${automatic} (?:${machine}|${reviewer})|${machine}|reviewer|evaluator|grader)(?: ${any('reviewer', 'model', 'assistant', 'agent', 'system', 'evaluator', 'note', 'notice', 'instructions?', 'directive', 'only')})? ?[:,!—–-]{1,2} ?${gap(30)}\\b${order}\\b`,
  ),
  signal(
    'addressed',
    'override',
    2,
    `\\bif you(?: are|'re| happen to be) (?:an? |the |any |reading this as an? )?(?:${automatic} |large )?(?:${machine}|${reviewer})\\b`,
  ),
  signal(
    'addressed',
    'override',
    2,
    `\\b(?:as|since you are|because you are|you,) (?:an?|the|your role as an?|our) (?:${automatic} )?(?:${machine}|${any('reviewer', 'grader', 'evaluator', 'auditor', 'model')}),? ?(?:of this \\w+,? )?(?:you (?:must|should|will|shall|are|have|need)|${order})`,
  ),
  signal(
    'addressed',
    'override',
    2,
    `\\b(?:any|all|every|the|each|an?) (?:${automatic} (?:${machine}|${reviewer})|${any('llms?', 'language models?', 'ai', 'chatbots?', 'ai (?:models?|agents?|assistants?|reviewers?|systems?)')})(?: ${any('reading', 'processing', 'reviewing', 'analy[sz]ing', 'summari[sz]ing', 'scanning', 'evaluating', 'that', 'which', 'who')} ${gap(40)}| )(?:must|should|shall|(?:is|are) (?:hereby |strictly |kindly )?(?:required|instructed|ordered|asked|told|to)|has to|have to|needs? to)\\b`,
  ),
  signal(
    'addressed',
    'override',
    1,
    `(?:\\b(?:as|dear|attention|note to|hey) (?:the |our )?|(?:^|[.!?\\n>"'\\[] ?))(?:reviewers?|graders?|evaluators?|auditors?|assistant|agent|model|moderators?)\\b ?[:,!—-]`,
  ),
  signal(
    'addressed',
    'override',
    2,
    `\\bif (?:an?|any|some) (?:${automatic} )?(?:${machine}) (?:\\w+ )?(?:is|are|reads?|happens|sees?|process\\w*|visits?|scans?)\\b`,
  ),
  signal(
    'addressed',
    'override',
    2,
    `\\b(?:ai|llm|gpt|language model|review(?:er|ing)?|automated|quality|search|shopping|browser|vision|chat) ?(?:systems?|models?|agents|assistants|reviewers|tools|crawlers|bots) (?:\\w+ing ${gap(40)} |that ${gap(40)} |which ${gap(40)} )?(?:must|should|shall|will|are (?:hereby )?(?:required|instructed|ordered|to))\\b`,
  ),
  signal(
    'addressed',
    'override',
    2,
    `(?:^|[.!?\\n>"'(\\[*#;] ?)(?:\\w+ )?(?:bots|llms|ais|chatbots|crawlers|language models|ai (?:agents|assistants|models|systems|reviewers)) ?[!:]`,
  ),
  signal(
    'addressed',
    'override',
    1,
    `, ?(?:dear |you )?(?:${machine}|reviewer)(?: model| bot| agent| ai| assistant)? ?[.!,;](?:\\s|$)`,
  ),
  signal(
    'addressed',
    'override',
    1,
    `(?:^|[.!?\\n>"'\\[] ?)(?:reviewer|grader|evaluator|auditor|review) (?:model|bot|agent|ai|assistant|system) ?[:,!]`,
  ),
  signal(
    'then-order',
    'override',
    1,
    `\\b${rules}\\b${gap(14)}(?:[.,;:!—-]|\\b(?:and|then|instead|now|but)\\b)[\\s]{0,3}(?:instead,? |then |now |and |just |simply |only |please |immediately |you (?:must|should|will) )*${order}\\b`,
  ),
];
