import { any, order } from './english-words.ts';
import { type Signal, signal } from './signal.ts';

/** Orders to take another role, and text that speaks as the system. */
export const roleSignals: readonly Signal[] = [
  signal(
    'end-of-data',
    'role',
    2,
    `\\b(?:end|close|begin|start) ?(?:of|the)? ?(?:user|untrusted|external|page|web|website|data|document|input|context|the|system|new|real|trusted)* ?(?:data|content|document|page|input|context|instructions|prompt|message|block)\\b ?(?:[-=\\])>*#.:]|$)`,
  ),
  signal('end-of-data', 'role', 3, '=== ?(?:end|begin) data\\b'),
  signal(
    'persona',
    'role',
    3,
    `\\byou are (?:now|no longer|from now on|hereby)(?: going to be| acting as)? ?(?:an? |the |in |called |named |my |bound by |restricted by |running in |operating in )*(?:\\w+ ){0,2}${any('ai', 'dan', 'assistant', 'language model', 'chatbot', 'developer mode', 'jailbroken', 'unrestricted', 'unfiltered', 'evil', 'debug mode', 'god mode', 'maintenance mode', 'reviewer', 'bound', 'system prompt', 'restricted', 'your (?:instructions|rules|guidelines)', 'copywriter', 'poet', 'pirate', 'red ?team(?:er)?')}\\b`,
  ),
  signal(
    'persona',
    'role',
    2,
    `\\b(?:from now on|henceforth|starting now|from this (?:point|moment))(?: on)?(?: forward)?,? (?:you (?:are|will|must|should|shall|act|respond|answer|only)|act as|pretend|respond|answer|reply)\\b`,
  ),
  signal(
    'persona',
    'role',
    2,
    `\\b(?:pretend (?:to be|that you|you are)|act as (?:if you|an? (?:ai|unrestricted|different|new|evil)|the system|dan|root|admin)|role-?play as|assume the role of|switch (?:to|into) (?:developer|debug|admin|maintenance|unrestricted|dan|god) mode|(?:enter|enable|activate) (?:developer|debug|admin|maintenance|unrestricted|dan|god) mode)`,
  ),
  signal(
    'persona',
    'role',
    2,
    `\\byour (?:new |only |real |true |sole |primary |actual )+(?:role|task|job|goal|objective|purpose|mission|instructions?) (?:is|are|will be)\\b`,
  ),
  signal(
    'speaks-as-system',
    'role',
    2,
    `(?:^|\\n)[\\s*#>\\-\\["'(]{0,6}(?:system|developer|assistant|root|admin(?:istrator)?)(?: (?:message|prompt|note|notice|instruction|update|override|alert))?[\\])*"']{0,3} ?[:>=] ?[\\s*]{0,4}\\b${any('you', order, 'the (?:user|previous|reviewer|review)', 'all', 'new', 'this', 'i ', 'ok', 'understood', 'from', 'as')}`,
  ),
  signal(
    'speaks-as-system',
    'role',
    2,
    '<\\|(?:im_start|im_end|system|user|assistant|endoftext|eot_id|start_header_id|end_header_id|endofprompt|begin_of_text)\\|>|\\[/?inst\\]|<</?sys>>|<start_of_turn>|<end_of_turn>|\\[(?:system|developer)(?: (?:message|prompt|note|instruction|override|update))?\\]|</?(?:system|system[-_](?:prompt|message|reminder|instruction)|instructions?|user_query|important|admin)>|###? ?(?:system|instruction|new instructions?)s? ?:|\\b(?:begin|start) (?:system|admin) (?:prompt|message)',
  ),
  signal(
    'speaks-as-system',
    'role',
    2,
    `\\b(?:system|security|admin|administrator|developer|policy|compliance|operator) (?:notice|message|update|alert|directive|instruction|command|note)\\b ?[:\\])—-]`,
  ),
  signal(
    'speaks-as-system',
    'role',
    2,
    `\\b(?:your|the) (?:operator|developers?|creators?|system administrator|administrator|owner|principal)s? (?:has |have |now |hereby )?(?:authori[sz]ed|approved|instructs?|ordered|orders|requires?|wants?|updated|permits?|confirmed|tells?)(?: you)?\\b`,
  ),
  signal('speaks-as-system', 'role', 2, '\\bsystem prompt (?:update|change|addendum|extension|override)'),
  signal(
    'you-are',
    'role',
    1,
    `\\byou are (?:an?|the|our) (?:\\w+ ){0,3}?(?:assistant|ai|agent|reviewer|bot|llm|language model|chatbot)\\b`,
  ),
  signal('persona', 'role', 2, `\\b(?:from now on|henceforth),? ${order}\\b`),
];
