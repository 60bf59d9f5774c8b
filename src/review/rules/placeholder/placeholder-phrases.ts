import type { PlaceholderKind } from './placeholder-rules.ts';

export interface Phrase {
  kind: PlaceholderKind;
  pattern: RegExp;
  /** True if the phrase must be the whole passage. */
  whole?: true;
  /** If this matches in the passage, the phrase is no placeholder. */
  unless?: RegExp;
  /** True if the phrase is ordinary on pages that teach about software, such as their variables and samples. */
  isOfLessons?: boolean;
}

const THING =
  '(?:(?:main|sub|first|second|page|section|product|company|body|meta|short|brief|long|card|button|event|post|blog|site|job|team|article|feature|service|image|photo|video|project|category|banner|hero|footer|header|slide|item|custom|own|new|catchy|compelling|some|more|additional)\\s+)*' +
  '(?:text|copy|title|heading|headline|sub-?heading|sub-?title|tag-?line|slogan|content|description|caption|name|logo|image|photo|picture|paragraph|quote|testimonial|message|bio|address|phone number|number|e-?mail(?: address)?|link|url|summary|details|information|info|answer|question|price|date|label|features?|benefits?)';
const EXAMPLE_CUE =
  /\b(e\.\s?g\.|for example|for instance|such as|example:|examples? of|called|named|syntax|placeholders?|template (variables?|tags?|language|engine)|merge (tags?|fields?)|variables?|tokens?|curly|braces|mustache|handlebars|jinja|liquid)\b/i;
const TALK_CUE =
  /\b(log ?levels?|severity|debug|warn(ing)?s?|error|fatal|verbose|identifiers?|macros?|source|code|placeholder|lorem|dummy|filler|markdown|comments?|syntax|called|named|keyword|list|app|apps|manager|label|tags?|grep|linter)\b/i;

/** Verbs of texts about samples. */
const SAMPLE_TALK =
  /\b(use|uses|using|used|what is|replace|replaces|generator|generate|avoid|called|designers?|add|about|contains?|attribute|instead|of|history|why|how|guide)\b/i;

const template = (pattern: RegExp, more: Partial<Phrase> = {}): Phrase => ({
  kind: 'template-text',
  pattern,
  ...more,
});
const note = (pattern: RegExp, more: Partial<Phrase> = {}): Phrase => ({
  kind: 'editorial-note',
  pattern,
  ...more,
});
const unfilled = (pattern: RegExp, more: Partial<Phrase> = {}): Phrase => ({
  kind: 'unfilled-variable',
  pattern,
  ...more,
});
const data = (pattern: RegExp, more: Partial<Phrase> = {}): Phrase => ({
  kind: 'test-data',
  pattern,
  isOfLessons: true,
  ...more,
});
const words = (source: string): RegExp => new RegExp(source, 'i');

/** Text that was meant to be replaced. The first phrase that matches a passage counts. */
export const placeholderPhrases: readonly Phrase[] = [
  template(
    words(
      `\\b(?:your|a|an|the|some|my|this)?\\s*${THING} (?:goes|go|here|will go|comes|should go|to go) ?(?:right )?here\\b`,
    ),
  ),
  template(words(`\\byour (?:own )?${THING} here\\b`)),
  template(
    words(
      `\\b(?:add|insert|enter|type|put|write|place|paste|edit|replace|change|include|provide|describe) (?:in )?(?:your|some|a|an|the|this|more) (?:own )?${THING}(?: text)? (?:here|with your own|to (?:be )?(?:edit|customi[sz]e)d?)\\b`,
    ),
  ),
  template(words(`^\\W*insert (?:your |a |an |the |some )?${THING}(?: here)?\\W*$`), {
    whole: true,
    unless:
      /\b(click|tap|menu|toolbar|select|choose|button|tab|into|cell|cursor|how to|you can|to insert)\b/i,
  }),
  template(
    words(
      `\\b(?:title|heading|headline|text|copy|content|description|caption|quote|name|bio|image|logo) (?:goes|to go|comes) here\\b`,
    ),
  ),
  template(
    /\b(double[- ]?)?click (here )?to (edit|add|change|replace)( (me|this|your|some|own|the|text|content|title|a))+\b/i,
  ),
  template(/\bI'm a (paragraph|title|button)\b/i),
  template(
    /\bthis is (just )?(an? |the |your )?((short|long|simple|generic|basic|new|first) )?(sample|placeholder|dummy|example|default|demo|filler|temporary) (text|heading|headline|title|page|post|paragraph|content|description|copy|product|article|excerpt|widget|caption|message|data|block)\b/i,
  ),
  template(
    /^(a |the )?(sample|placeholder|dummy|default|demo|filler) (heading|headline|sub-?heading|text|title|page|content|product|post|description|copy|paragraph|article|caption|testimonial|name|quote|button|link|image|data|category|event|project|slide|image alt text)( \d+| [a-z])?[.!]?$/i,
    { whole: true, isOfLessons: true },
  ),
  template(
    /\b(sample|placeholder|dummy|filler) (heading|headline|sub-?heading|text|copy|title|paragraph)( \d)?( for| here|\.|$)/i,
    {
      unless: SAMPLE_TALK,
    },
  ),
  template(/\bjust another wordpress (site|weblog)\b|\bwelcome to wordpress\. this is your first post\b/i),
  template(
    /\bsome quick example text to build on the card\b|\bwith supporting text below as a natural lead-in\b/i,
  ),
  template(
    /\b(edit or delete (it|this)|replace this (text|paragraph|content|with your)|delete this (text|paragraph) before)\b/i,
  ),
  template(/\bplaceholder for (the |our |your |a )?\p{L}+/iu, {
    isOfLessons: true,
    unless: /\b(attribute|input|field|variable|syntax|acts?|used|serves?|token|as a)\b/i,
  }),
  template(
    /\b(text|content|copy|image|photo|description|details|bio|picture)s? (is |are )?(to (come|follow|be (added|supplied|provided|confirmed))|pending)\b/i,
  ),
  template(
    /^(your|the) (awesome |amazing |great |catchy |main |new |own )?(company|business|brand|organi[sz]ation|website|site|shop|store|product|service)( name| title| tagline| slogan| logo| inc\.?| ltd\.?| llc)$/i,
    { whole: true, unless: /^your (company|business|brand|shop|store|website|site|product) name$/i },
  ),
  template(
    /(©|\(c\)|copyright).{0,12}\b(your|my) (company|business|brand|site|website|name|organi[sz]ation)\b/i,
  ),
  template(/\b(your|my|company)(company|business|domain|site|website|name|brand)\.(com|org|net|co)\b/i, {
    unless: EXAMPLE_CUE,
  }),
  template(
    /^((card|section|feature|block|column|page|post|slide|item|service|list|tab|widget|module|heading|accordion|banner) (title|heading|headline|text|content)|(card|section|feature|slide|banner|accordion) name|(title|heading|headline|sub-?heading|sub-?title|feature|column|lorem|paragraph|slide|tab|section|item|button) (text|one|two|three|\d))$/i,
    { whole: true },
  ),
  template(
    /^(untitled( (document|page|post|\d+))?|new page|page title|document title|add (a )?(title|heading|subtitle)|title here|tagline here|no title)$/i,
    { whole: true },
  ),
  template(
    /\bfar far away,? behind the word mountains\b|\bthe european languages are members of the same family\b/i,
  ),
  template(/^the quick,? brown fox (jumps|jumped) over (the|a) lazy dogs?\.?$/i, { whole: true }),
  template(/\b(bacon|hipster|cupcake|pirate|zombie|veggie|corporate|samuel l\.?) ipsum\b(?! generator)/i),

  unfilled(/\[object Object\]/),
  unfilled(
    /\b([Hh]ello|[Hh]i|[Hh]ey|[Dd]ear|[Ww]elcome( back)?|[Tt]hanks|[Tt]hank you),? (undefined|null|NaN|None)\b|\bundefined undefined\b|[$€£] ?(NaN|undefined|null)\b|\bNaN ?%|\bInvalid Date\b|: (undefined|NaN)$/,
  ),
  unfilled(/^(undefined|NaN|null)$/, { whole: true, isOfLessons: true }),
  unfilled(/(?<=\b(?:hello|hi|hey|dear|welcome|thanks|thank you),? )\{\{?[\w .]{1,40}\}\}?/i, {
    unless: EXAMPLE_CUE,
  }),
  unfilled(/\*\|[A-Z_:]{2,40}\|\*/, { unless: EXAMPLE_CUE }),
  unfilled(
    /\{\{\{?[^{}\n]{1,80}\}\}\}?|\{%[^%\n]{1,80}%\}|<%=?[^%\n]{1,80}%>|\$\{[\w.\s()[\]]{1,60}\}|#\{[\w.]{1,60}\}/,
    { isOfLessons: true, unless: EXAMPLE_CUE },
  ),
  unfilled(
    /%%[A-Z][A-Z0-9_]{1,40}%%|(?<![\w%])%[A-Z][A-Z_]{2,40}%(?![\w%])|\b__(?:[A-Z0-9]+_)*(?:NAME|DATE|TITLE|COMPANY|USER|EMAIL|CITY|PRICE|ADDRESS|PHONE|URL|PRODUCT|PLACEHOLDER|TEXT|CONTENT)(?:_[A-Z0-9]+)*__|\[\[[\w .:-]{2,40}\]\]|(?<!\w)\{(?:[a-z]\w*[_.]\w+|(?:user|first|last|full|company|customer|product|client|site|city|event)?(?:[nN]ame|[dD]ate|[eE]mail|[tT]itle|[pP]rice|[aA]mount|[cC]ity|[cC]ompany|[uU]ser|[pP]roduct|[cC]ount|[tT]otal|[pP]hone|[aA]ddress))\}(?!\w)/,
    { isOfLessons: true, unless: EXAMPLE_CUE },
  ),
  unfilled(
    /\[(?:insert|enter|put) (?:your |the |a |an )?[a-z][^\]<>[]{2,60}\]|\[your [a-z][^\]<>[]{2,40}\]/i,
    { unless: EXAMPLE_CUE },
  ),
  unfilled(
    /(?<![/@])[[<](?:(?:insert|enter|add|type|put|your|client|customer|company|business|brand|recipient|first|last|full|user|product|event|start|end|delivery|phone|e-?mail|street|city|zip|post|office|contact|project|job|hotel|venue|store|site|website|page|author|image|link|logo|date|name|title|address|number|amount|price|placeholder|tbd|tba|todo|x{2,}|lorem)\b)[^\]<>[]{0,60}[\]>]/i,
    {
      isOfLessons: true,
      unless:
        /\[(email|e-mail)\s*protected\]|\[(link|image|date|number|page|author|name|title|add|edit|user)\]\(/i,
    },
  ),

  note(/(?<![\w-])(TODO|FIXME|TKTK)\b\s*[:(–—-]/, {
    unless: /\b(comments?|grep|linter|tags?|markers?|keyword)\b/i,
  }),
  note(/(?<![\w-])XXX\b\s*[:(–—-]/, { isOfLessons: true, unless: TALK_CUE }),
  note(/^\W*(TODO|FIXME|TKTK|TBD|TBC|XXX)\b(?! ?(lists?|apps?|items?|comments?|tags?|managers?)\b)/, {
    unless: /^\W*(TBD|TBC|XXX)\b.*\b(stands for|means)\b/i,
  }),
  note(
    /(?<![\w-])(TODO|FIXME|TKTK)\b(?![\w-])(?! ?(lists?|apps?|items?|comments?|tags?|managers?|notes?|entries|markers?|file)\b)/,
    { unless: TALK_CUE },
  ),
  note(
    /(?<![\w-])TBD\b|(?:^|[:([–—-] ?)to be (determined|filled in|completed|written|decided)\b(?=[^\n]{0,20}$)|\b(text|copy|section|chapter) (yet |still )?to be written(?=\W*$)|(?<!\w)TBC\b(?=\.?$)/,
    {
      unless: /\b(stands for|means|abbreviation)\b/i,
    },
  ),
  note(/(?<![\w.$€£-])XXX+(?![\w-])/, {
    isOfLessons: true,
    unless:
      /\b(bowl|chapter|volume|film|size|louis|pope|canto|series|rated|sonnet|psalm|part|article)\b|X{3,}[ -]X{3,}[ -]\d|\d{4}/i,
  }),
  note(
    /[$€£] ?(XX+|__+|\?\?+|0{3,})([.,](XX|\?\?|00))?|(?<!\w)XX+[.,]XX(?!\w)|\bXX+ ?(€|EUR|USD|%)|\bXX\/XX\/(XX){1,2}\b|\(XXX\) ?XXX/,
  ),
  note(
    /\b(needs?|awaiting|waiting for|pending) (final |legal )?(copy|wording|text|proofreading|client (approval|sign-?off|feedback))\b/i,
  ),
  note(
    /(\[|\(|\*\*|^)(note|reminder) (to|for) (self|editor|designer|dev(eloper)?s?|team|copywriter|client)\b|(?<!\b(?:the|an?|your) )\b(copywriter|designer|editor|marketing|legal)( team)?(:| please (write|replace|update|check|add|insert|confirm)| to (write|supply|provide|add|confirm))\b/i,
  ),
  note(/^\?{3,}$|\?{4,}/),

  data(
    /^(asdf\w*|qwerty\w*|sdfg?\w*|foo( bar( baz)?)?|blah( blah)*|abc ?123|aaa+|bbb+|xyz ?\d*|dfg\w*|hjkl\w*|[a-z])[.!]?$/i,
    { whole: true, unless: /^[a-z]\W*$|^qwerty keyboard/i },
  ),
  data(/\b(asdf ?){2,}(asdf|jkl;?|ghjkl)\b/i, { isOfLessons: false }),
  data(/\b(asdf ?){1,}(asdf|jkl;?|ghjkl)\b|\basdfasdf\b|\bblah,? blah,? blah\b(?!["”’])/i),
  data(
    /^(test(ing)?( test(ing)?)+|test ?\d+|testing( 123| 1,? ?2,? ?3)|this is (just |only )?a test( (page|post|product|text|article|message|entry|paragraph))?|(my )?test[- ](page|post|product|user|item|title|heading|headline|content|article|text|entry|company|category|customer|name|event|paragraph|address|description)( \d+)?)[.!]?$/i,
    { whole: true },
  ),
  data(
    /\bthis is (just |only )?a test (page|post|product|text|article|message|entry|paragraph)\b|\btest (content|text|post|product|page)[,.]? (please )?(ignore|do not (buy|order|publish)|delete|remove)\b/i,
  ),
  data(/\b(jane|john) (q\. )?doe\b(?! ?(v\.|vs|warrants?|lawsuits?|cases?|summons))/i, {
    unless: new RegExp(
      `${EXAMPLE_CUE.source}|\\b(unidentified|lawsuit|court|anonym\\w+|plaintiff|defendant|pseudonym|band|film)\\b`,
      'i',
    ),
  }),
  data(
    /\b(123|1234|12345|999) (main|fake|any|street|sample|example|anywhere|your|test) (st\b|street|road|rd\b|ave(nue)?\b|lane|blvd)|\b(any ?town|anycity|somewhere ?ville|sample ?city|your ?city),? ?(usa|us|[a-z]{2}\b|\d{5}|state)/i,
    { unless: EXAMPLE_CUE },
  ),
  data(
    /\(?\b(555\)?[-. ]?555[-. ]?5555|123\)?[-. ]?456[-. ]?7890|000\)?[-. ]?000[-. ]?0000|01234 ?567 ?890|1234567890)\b/,
    { unless: EXAMPLE_CUE },
  ),
  data(
    /\b(you|your|your-?name|your-?email|name|email|user|username|test|info|hello|contact|someone|john|jane|john\.?doe|jane\.?doe|mail|admin|support|foo)@(example\.(com|org|net)|(your-?)?(domain|company|email|site|website|business|mail)\.(com|org|net)|test\.com|your\w+\.(com|org|net)|mysite\.com)\b/i,
    { unless: EXAMPLE_CUE },
  ),
];
