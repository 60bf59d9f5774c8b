export type Offense = 'profanity' | 'insult' | 'slur' | 'sexual-content' | 'threat';

export interface Term {
  offense: Offense;
  /** Matches a whole word in lower case, without its disguise. */
  word: RegExp;
  /** If this matches around the word, it has another, harmless meaning. */
  unless?: RegExp;
  /** Unless this matches around the word, it has another, harmless meaning. */
  only?: RegExp;
  /** True if the word is harmless as a name, that is with a capital. */
  isName?: true;
  mild?: true;
}

const term = (offense: Offense, source: string, more: Partial<Term> = {}): Term => ({
  offense,
  word: new RegExp(`^(?:${source})$`, 'u'),
  ...more,
});

/** Single offensive words. */
export const offensiveTerms: readonly Term[] = [
  term(
    'profanity',
    '(?:mother|cluster|un|abso|mind|face|fan|head)?-?fu+c*k(?:s|ed|er|ers|in|ing|head|heads|face|wit|wits|tard|tards|up|ups|off|able|boy|boi|o|ery|nut)?y?',
    { unless: /\bFucking,? (?:in )?(?:Upper )?Austria|village of Fucking|Fugging/ },
  ),
  term(
    'profanity',
    'f+u*c*k|fuk(?:in|ing|er|ers|ed|s)?|fck(?:ing|in|ed|er)?|fcuk(?:ing)?|phuck(?:ing)?|fvck(?:ing)?|wtf|stfu|gtfo|lmfao|ffs|mofo|milf|mf(?:er|ers)',
    { unless: /\bfrench connection\b/i },
  ),
  term(
    'profanity',
    '(?:bull|horse|bat|chicken|dip|ape|dog|holy|no|jack|rat|goat)?-?sh+i+t+(?:s|e|ed|er|ers|ting|tin|ty|tier|tiest|head|heads|face|hole|holes|load|loads|show|shows|storm|storms|bag|bags|post|posting|faced|canned|less|ass)?',
  ),
  term(
    'insult',
    'ass+-?(?:hole|holes|hat|hats|wipe|wipes|clown|clowns|face)|(?:dumb|jack|smart|lazy|fat|punk|hard|bad|kick|big|wise)-?ass(?:es)?',
    {
      unless:
        /\b(badass|kick-?ass|hard-?ass|jackass)\b.*\b(film|movie|show|series|penguin)\b|\b(film|movie|show|series)\b.*\bjackass|laughing jackass/i,
    },
  ),
  term('profanity', 'ass', {
    unless:
      /\b(donkeys?|wild|ox|foal|mule|zoo|jesus|jerusalem|equus|somali|asiatic|african|stable|bridge|hay|carrot)\b/i,
    isName: true,
  }),
  term('profanity', 'arse(?:s|d|hole|holes|d)?|dumb-?arse|smart-?arse|half-?arsed|half-?assed'),
  term('insult', '(?:son-?of-?a-?)?b+i+a*t+c+h+(?:es|y|ing|ed|in)?|biatch|biotch|beyotch', {
    unless:
      /\b(dogs?|kennels?|litter|pupp(?:y|ies)|whelp\w*|spay\w*|pedigree|breed\w*|canine|in season|best bitch|dam|sire|wolf|wolves|terrier|spaniel|retriever|show ring)\b/i,
  }),
  term('profanity', 'cunt(?:s|y|ing|ish)?'),
  term(
    'insult',
    'cock-?(?:suck(?:er|ers|ing)|head|heads|wombles?)|dick-?(?:head|heads|wad|wads|face|hole|weeds?)|knob-?heads?|bell-?ends?|prick-?tease',
  ),
  term('sexual-content', 'cocks?', {
    only: /\b(suck\w*|hard|big|huge|my|his|throbbing|erect|ride)\b[^.]{0,20}\bcocks?\b/i,
    unless: /\b(hens?|birds?|rooster|poultry|robin|farm|crow\w*|weather|pheasant|turkey|rifle|hat)\b/i,
    isName: true,
  }),
  term('insult', 'dicks?', {
    only: /\b(a|such|total|you|your|my|his|suck|being|these|big|bunch of|of|complete|absolute)\b[^.]{0,15}\bdicks?\b/i,
    unless: /\bspotted dick\b|\bprivate dick|\bmoby/i,
    isName: true,
  }),
  term('insult', 'pricks?', {
    only: /\b(?:you|such a|a total|total|complete|arrogant|little|stupid|utter|absolute|bunch of|these|those|what a|fucking|pompous|greedy|selfish) (?:\w+ )?pricks?\b/i,
  }),
  term('profanity', 'piss(?:ed|ing|er|ers|head|take|poor|flaps)?|pissed-?off|piss-?(?:take|poor|up)'),
  term(
    'profanity',
    'bollocks|bollocking|wank(?:er|ers|ing|ed|y)?|toss(?:er|ers|pot|pots)|bugger(?:ed|ing|s)?|arsewipe|twats?|bellend|minger|slags?|slagging|gobshites?|knobhead|numpty',
    {
      unless:
        /\bslag (heap|cement|wool|pile)\b|\b(furnace|steel|smelt\w*|iron|blast|metal|welding)\b|\bcoin toss|\bugger's/i,
      isName: true,
    },
  ),
  term('insult', 'bastards?', {
    unless:
      /\bbastard (file|sword|title|toadflax|amber|cut|wing|indigo|balm)|\b(?:inglou?rious|illegitimate|royal|william the) bastards?\b/i,
    isName: true,
  }),
  term('insult', 'slut(?:s|ty|tier)?|whores?|whoring|skanks?|skanky|hoes?|thot', {
    only: /\b(slut\w*|whor\w*|skank\w*|thot)\b|\b(those|these|you|my|bitches and|fucking|dirty) hoes?\b/i,
    unless: /\b(of babylon|garden\w*|weed\w*|soil|dutch hoe|rake)\b/i,
  }),
  term('sexual-content', 'puss(?:y|ies)', {
    unless:
      /\bpuss(?:y|ies)[- ](cats?|willows?|riot|foot\w*|galore|hat|bow)\b|\b(cats?|kitten|kitty|octopussy)\b/i,
    isName: true,
  }),
  term(
    'sexual-content',
    'tits|titt(?:y|ies)|boob(?:s|ies)|blow-?jobs?|hand-?jobs?|rim-?jobs?|jizz|cum-?shots?|cumming|dildos?|butt-?plugs?|deepthroat|gang-?bang\\w*|wet dreams?|hard-?ons?|jerk(?:ing)? off|boners?|fap(?:ping)?',
    {
      unless:
        /\b(great|blue|coal|marsh|willow|crested|long-tailed|bearded|titmice|birds?|feeders?|nest\w*|finch\w*|robins?|wrens?|cancer|implants?|mammogram|booby trap|blue-footed)\b/i,
    },
  ),
  term('sexual-content', 'hentai|xxx|porn|porno|horny|slutty|kinky|nympho', {
    only: /\b(hot|free|hardcore|horny|watch|sexy|naked|teen|girls?|nude)\b/i,
    unless:
      /\b(law|revenge porn|addiction|filter|block\w*|parental|against|illegal|study|research|toads?|lizards?|child)\b/i,
  }),
  term('slur', 'n+i+g+(?:ers?|ger|gers|gah|gahs|ga|gas|gaz|guh|let|lets)', {
    unless: /\b(delta|river|nigeria|republic)\b/i,
  }),
  term('slur', 'fag+(?:ot|ots|s|y|oty)?|faggot(?:s|y|ry)?|fagg?', {
    unless:
      /\bfag (ends?|packet|break|ash|paper|butt|card)s?\b|\b(smok\w*|cigarettes?|bundle|firewood|sticks|meatballs?|peas|gravy|offal|eton|bassoon|faggots and peas)\b/i,
    isName: true,
  }),
  term('slur', 'retards?|retarded|tards?|fucktards?|libtards?', {
    unless:
      /\b(flame|fire|growth|retards? the|ignition|spark|timing|age-retard\w*|retarded (?:potential|time|growth)|development|hormone|flow|motion)\b/i,
  }),
  term('slur', 'chinks?', {
    unless: /\bchinks? (in|of|between)\b|\barmou?r|\bwall\b|\blight\b|\bcurtains?\b|\bglasses\b/i,
  }),
  term(
    'slur',
    'kikes?|gooks?|spics?|wetbacks?|ragheads?|towelheads?|sandnigg\\w*|camel-?jockeys?|pakis?|wogs?|golliwogs?|darkies?|coons?|jigaboos?|beaners?|trann(?:y|ies)|shemales?|pikeys?|gypp?os?|redskins?|zipperheads?|nips?|dykes?|half-?breeds?|porch monkeys?',
    {
      only: /\b(kikes?|gooks?|spics?|wetbacks?|ragheads?|towelheads?|sandnigg\w*|camel-?jockeys?|wogs?|darkies?|jigaboos?|beaners?|shemales?|zipperheads?|porch monkeys?)\b|\b(dirty|fucking|filthy|stupid|those|these|you|bloody|damn|ugly|lazy|hate|no)\b[^.]{0,15}\b(pakis?|coons?|trann(?:y|ies)|pikeys?|gypp?os?|nips?|dykes?|half-?breeds?|redskins?|golliwogs?)\b/i,
      unless: /\b(maine coon|nip (and|in|of)|washington redskins|offa'?s)\b/i,
      isName: true,
    },
  ),
  term(
    'profanity',
    'crap(?:py|pier|piest|ola)?|crapped|damn(?:it)?|dammit|god-?damn(?:ed|it)?|goddam|bull-?crap|douche-?(?:bags?|canoes?)|douchey?|scum-?bags?|dumb-?fucks?|screw-?you|effing|frigging|friggin|freaking|shite|arsed|cocksure',
    {
      mild: true,
      isName: true,
      unless: /\b(craps? (table|game)|yankees|cocksure)\b/i,
    },
  ),
  term(
    'profanity',
    'schei(?:ß|ss)(?:e|en|er|egal|dreck|kerl|laden|verein)?|schei(?:ß|ss)\\p{L}*|beschissen\\p{L}*|verdammte\\p{L}*',
    { unless: /\bverdammte/i },
  ),
  term(
    'insult',
    'arschl(?:och|öcher|ecker)|hurens(?:ohn|öhne)|wichser\\p{L}*|fotzen?|schlampen?|missgeburt(?:en)?|miststück\\p{L}*|drecks(?:au|säue|ack|kerl)|schwuchteln?|kanaken?|spasti|vollidiot\\p{L}*|gefickt\\p{L}*|ficken|fickt|ficker',
  ),
  term(
    'profanity',
    'merde(?:s|ux)?|putain|bordel de merde|emmerd\\p{L}*|merd[ae]|cazzo|mierdas?|joder|jodid[oa]s?|coño',
  ),
  term(
    'insult',
    'connards?|connasses?|salopes?|salauds?|enculés?|enculer|niquer?|pétasses?|putes?|gilipollas|cabr(?:ón|on|ones)|put[ao]s?|pendej[oa]s?|maric(?:ón|ones)|hijueputa|chinga(?:r|da|do|te)?|stronz[oiae]|puttan[ae]|vaffanculo|coglion[ei]|klootzak(?:ken)?|kurwa|godverdomme',
    {
      unless: /\bbella puta|\bputo amo\b|\bputo de\b|\bputa'?s\b/i,
    },
  ),
];

/** Phrases that are offensive only as a whole. */
export const offensivePhrases: readonly { offense: Offense; pattern: RegExp; unless?: RegExp }[] = [
  {
    offense: 'threat',
    pattern:
      /\b(?:I(?:'|’)?(?:ll| will|m going to| am going to|'m gonna| want to| swear I(?:'|’)?ll)|we(?:'|’)?(?:ll| will|re going to| are going to)|someone should|going to|gonna) (?:fucking |hunt you down and |find (?:you )?and )?(?:kill|murder|stab|shoot|strangle|beat|hurt|rape|behead|destroy|hang|burn) (?:you|your family|them all|u|him|her)\b/gi,
    unless: /\b(novel|lyrics?|movie|film|game|villain|character|in checkers|at chess)\b/i,
  },
  {
    offense: 'threat',
    pattern:
      /\b(?:kill yourself|kys|go die|(?:I )?hope (?:you|they|he|she)(?: all)? (?:die|rot|burn|get cancer)|burn in hell|drop dead|you(?:'|’)?re (?:a )?dead(?: man| meat)?|you (?:will|are going to|deserve to) die|slit your throat|put a bullet in|watch your back|bash your (?:head|face|skull) in|I know where you live)\b/gi,
    unless: /\b(lyrics?|novel|film|song|prevention|hotline|signs of|gorgeous)\b/i,
  },
  {
    offense: 'insult',
    pattern:
      /\byou(?:'|’)?(?:re| are|r)?(?: all)?(?: such)?(?: an?)?(?: \w+(?:ing)?)? (?:idiots?|morons?|imbeciles?|losers?|scum|cretins?|dimwits?|dumb-?(?:ass|fuck)s?|piece of (?:shit|crap|trash|garbage)|pathetic|half-?wits?|simpletons?|degenerates?|pigs?|vermin|subhumans?)\b/gi,
    unless:
      /\b(not|aren't|lose|if you(?:'|’)?re)\b[^.]{0,10}\b(losers?|pigs?|pathetic)\b|\bguinea|\bkeep pigs\b/i,
  },
  {
    offense: 'insult',
    pattern:
      /\b(?:(?:bunch|pack|load) of|(?:fucking|stupid|complete|total|utter|absolute|bloody|damn|goddamn|brainless|worthless|ignorant|pathetic|disgusting|lying|greedy|what an?|these|those|our) )(?: ?(?:stupid|fucking|brainless|lazy|ignorant))? ?(?:idiots?|morons?|imbeciles?|cretins?|dimwits?|losers?|scumbags?|half-?wits?|retards?)\b/gi,
    unless: /\b(guide for|for complete idiots|idiot'?s guide|proof)\b/i,
  },
  {
    offense: 'insult',
    pattern:
      /\b(?:stupid|dumb|brainless|worthless) (?:customers?|people|users?|clients?|women|men|bosses|boss|managers?|cows?|bitch|pigs?|fools?)\b|\b(?:shut (?:the (?:hell|fuck) )?up,? (?:you|stupid|idiot)|go to hell|screw (?:you|off)|sod off|bite me|up yours|eat (?:my )?shorts|(?:filthy|human|worthless) (?:scum|trash|vermin)|fick dich|verpiss dich|leck mich|halt die fresse|fils de pute|ta gueule|nique ta m[eè]re|hij[oa]s? de puta|vete a la mierda|va te faire (?:foutre|enculer)|me cago en)\b/gi,
  },
  {
    offense: 'profanity',
    pattern:
      /\b(?:what|who|where|why|how) the (?:hell|f\*+\w*|fuck)\b|\b(?:bloody|holy|fucking) hell\b|\bhell (?:no|yeah)\b|\bpissed off\b|\bpiss off\b|\bkiss my a\w*\b|\bsuck(?:s)? my\b|\bbugger off\b|\bson of a b\S*tch\b|\bbullsh\S*t\b/gi,
    unless: /\bwhat the heck\b|\bgates\b/i,
  },
  {
    offense: 'slur',
    pattern:
      /\b(?:go back to (?:your (?:own )?country|africa|china|mexico|where you came from)|(?:all|these|those) (?:jews|muslims|blacks|immigrants|gays|foreigners|whites|asians|mexicans) (?:are|should be) (?:criminals|vermin|rats|parasites|deported|gassed|shot|thieves|animals|scum|terrorists)|(?:white|black|jewish) (?:trash|scum|vermin)|gas the jews|death to (?:all )?\w+s)\b/gi,
  },
  {
    offense: 'profanity',
    pattern:
      /(?<![\w*])(?:f[*#@$%!_\-.]{1,3}c?k\w{0,4}|f[*]{2,3}(?:ing|in|er|ed)?|s[*#@$%!]{1,3}t(?:ty|s)?|sh[*#@$%!]{1,2}t?\w{0,3}|b[*#@$%!]{1,3}t?ch\w{0,3}|c[*#@$%!]{1,3}nt\w?|a[*#@$%!]{2}(?:hole|es)?|d[*#@$%!]{1,2}ck(?:head|s)?|p[*#@$%!]{1,3}sy|motherf[*#@$%!]+\w*|n[*#@$%!]{2,4}(?:r|er|a)s?|w[*#@$%!]{1,2}nker|bulls[*#@$%!]+t|(?<!\w)@\$\$(?:hole)?|a\$\$(?:hole)?)(?![\w*])/gi,
  },
  {
    offense: 'profanity',
    pattern:
      /(?<![\w])(?:f[\s.\-_*]u[\s.\-_*]c[\s.\-_*]k|s[\s.\-_*]h[\s.\-_*]i[\s.\-_*]t|c[\s.\-_*]u[\s.\-_*]n[\s.\-_*]t|b[\s.\-_*]i[\s.\-_*]t[\s.\-_*]c[\s.\-_*]h|a[\s.\-_*]s[\s.\-_*]s[\s.\-_*]h[\s.\-_*]o[\s.\-_*]l[\s.\-_*]e)(?![\w])/gi,
  },
];

/** Text around words that are quoted, discussed, or part of the title of a work. */
export const MENTION =
  /\b(words?|terms?|slurs?|phrases?|swear\w*|expletives?|profanit\w+|offensive|vulgar\w*|etymolog\w*|obscen\w*|curse|dictionary|film|movie|novel|album|song|single|book|play|band|starring|directed by|podcast|show|series|exhibition|poem|titled|entitled|called|memoir|record|track|musical|documentary|banned|censor\w*|court|lawsuit|trademark)\b/i;
