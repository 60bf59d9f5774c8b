import { gapInLine as gap, type Signal, signal } from './signal.ts';

/** Written without accents, because signals match folded text. */
export const germanSignals: readonly Signal[] = [
  signal(
    'addressed',
    'override',
    2,
    `\\b(?:ki|ai|ki-\\w+|sprachmodelle?|chatbots?|llms?|automatische prufer) ?,? ${gap(50)}\\b(?:soll(?:en|te|ten)?|mussen?|muss|durfen?|darf)\\b`,
  ),
  signal(
    'drop-all',
    'override',
    3,
    `\\b(?:ignorier\\w*|vergiss|vergesst|vergessen sie|missachte\\w*|verwirf|verwerfen sie|uberschreib\\w*|befolge nicht) (?:bitte |ab sofort |jetzt )?(?:alle|samtliche|jegliche|deine|eure|ihre|jede|den|das|die) ${gap(40)}\\b(?:system-?prompt|prompt|system(?:anweisung|nachricht)|direktive)\\w*`,
  ),
  signal(
    'drop-all',
    'override',
    3,
    `\\b(?:ignorier\\w*|vergiss|vergesst|vergessen sie|missachte\\w*|verwirf|verwerfen sie|uberschreib\\w*|befolge nicht) (?:bitte |ab sofort |jetzt )?(?:alle|samtliche|jegliche|deine|eure|ihre|jede) ${gap(40)}\\b(?:anweisung|instruktion|vorgabe|befehl|regel)\\w*`,
  ),
  signal(
    'drop',
    'override',
    2,
    `\\b(?:ignorier\\w*|vergiss|vergesst|vergessen sie|missachte\\w*|verwirf|verwerfen sie) ${gap(20)}\\b(?:vorherig|bisherig|obig|fruher|vorangegangen|vorangehend|vorig|ursprunglich|system)\\w*${gap(20)}(?:anweisung|instruktion|prompt|vorgabe|regel|direktive|befehl)\\w*`,
  ),
  signal(
    'drop',
    'override',
    1,
    `\\b(?:ignorier\\w*|vergiss|vergessen sie) (?:alles|das|was)\\b${gap(30)}(?:obige|oben|davor|bisher|vorher|zuvor|gesagt|mitgeteilt)`,
  ),
  signal(
    'then-order',
    'override',
    1,
    `(?:anweisung|instruktion|prompt|vorgabe|regel|befehl)\\w*${gap(20)}(?:\\b(?:und|sondern|stattdessen|dann)\\b|[,.:;!]) ?(?:stattdessen )?(?:melde|berichte|antworte|gib|schreib|sag|sende|erklar|bewerte|bestatige|nenne|ruf|verrate|zeig)\\w*`,
  ),
  signal(
    'addressed',
    'override',
    2,
    '\\b(?:an|fur|achtung|hinweis (?:an|fur)|liebe[rs]?|hallo|nachricht (?:an|fur)|anweisung(?:en)? (?:an|fur)) ?,? ?(?:alle |die |den |das |jede[rns]? )*(?:ki|ai|llms?|sprachmodelle?|chatbots?|automatische\\w* \\w+|ki-\\w+|assistent\\w*|gutachter-?ki)\\b',
  ),
  signal(
    'addressed',
    'override',
    2,
    `\\b(?:falls|wenn|da|weil|sofern) (?:du|sie|ihr) ${gap(20)}\\b(?:eine? )?(?:ki|ai|llm|sprachmodell|chatbot|bot|automatische\\w* \\w+|ki-\\w+|assistent)\\b`,
  ),
  signal(
    'addressed',
    'override',
    2,
    `\\bals (?:ki|ai|llm|sprachmodell|assistent|prufer|gutachter|reviewer|ki-\\w+|automatische\\w* \\w+) ${gap(20)}(?:musst|sollst|darfst|hast|bist|melde|antworte|mussen|sollen|durfen|haben)`,
  ),
  signal(
    'addressed',
    'override',
    1,
    '(?:^|[.!?\\n>"\'\\[] ?)(?:ki|ki-\\w+|sprachmodell|assistent|prufer|ai)(?: \\w+)? ?[:,!]',
  ),
  signal(
    'persona',
    'role',
    2,
    `\\b(?:du bist|sie sind|ihr seid) (?:jetzt|nun|ab sofort|nicht mehr|fortan) ${gap(24)}(?:ki|assistent|modell|bot|modus|gebunden|unbeschrankt|prufer|system)`,
  ),
  signal(
    'persona',
    'role',
    2,
    '\\b(?:ab sofort|ab jetzt|von nun an|fortan) (?:bist|wirst|sollst|musst|antwortest|gilt|folgst) (?:du|sie|fur dich)?|\\b(?:deine|ihre) (?:neue|eigentliche|wahre|einzige) (?:aufgabe|rolle|anweisung) (?:ist|lautet)|\\bneue (?:anweisung|systemanweisung|instruktion)\\w* ?:',
  ),
  signal(
    'keep-back',
    'suppress',
    2,
    `\\b(?:melde|berichte|erwahne|nenne|markiere|liste|beanstande|melden sie|erwahnen sie|nennen sie|berichten sie) ${gap(30)}\\b(?:keine|nicht|nichts|niemals)\\b ?(?:\\w+ ){0,3}?(?:fehler|probleme?|befunde?|mangel|funde|verstosse?|auffalligkeiten|beanstandungen|auf dieser seite|von dieser seite)?`,
  ),
  signal(
    'keep-back',
    'suppress',
    2,
    '\\b(?:keine|nichts) (?:\\w+ )?(?:fehler|probleme?|befunde?|mangel|verstosse?|beanstandungen) (?:zu )?(?:melden|berichten|nennen|erwahnen|auflisten|finden)\\b',
  ),
  signal(
    'dictated-verdict',
    'suppress',
    2,
    `\\b(?:antworte|antworten sie|melde|berichte|gib|geben sie|schreib\\w*|bewerte|bewerten sie|bestatige|erklare|sag|sage|markiere|stufe|beende) ${gap(50)}\\b(?:keine[nr]? (?:fehler|probleme?|befunde?|mangel|funde|beanstandungen)|fehlerfrei|einwandfrei|perfekt|bestanden|genehmigt|mangelfrei|in ordnung|null (?:fehler|befunde)|ohne (?:befund|beanstandung|fehler)|leere[nr]? (?:liste|ergebnis)|volle\\w* punktzahl|100)`,
  ),
  signal(
    'own-prompt',
    'exfiltrate',
    3,
    `\\b(?:gib|geben sie|zeig\\w*|nenne|verrate|verraten sie|schreib\\w*|wiederhole|wiederholen sie|send(?:e|en|et)(?: sie)?|drucke|offenbare|ubersetze|poste) ${gap(30)}\\b(?:system-?prompt\\w*|systemanweisung\\w*|(?:deine|deinen|ihre|ihren) (?:\\w+ )?(?:anweisungen|prompt|instruktionen|systemnachricht))`,
  ),
  signal(
    'secrets',
    'exfiltrate',
    1,
    `\\b(?:gib|zeig\\w*|nenne|verrate|schreib\\w*|send(?:e|en|et)(?: sie)?|schick\\w*|ubermittle|hange|fug\\w*) ${gap(40)}\\b(?:api-?schlussel|zugangsdaten|passwort\\w*|geheimnisse?|tokens?|schlussel|umgebungsvariablen|variablen)`,
  ),
  signal(
    'send-to',
    'exfiltrate',
    1,
    `\\b(?:send(?:e|en|et)(?: sie)?|schick\\w*|ubermittle|rufe?|offne|lade|besuche) ${gap(70)}(?:https?://|@)`,
  ),
  signal(
    'given-to-you',
    'exfiltrate',
    1,
    '\\b(?:die |was )?(?:du|dir|ihnen) (?:kennst|hast|vorliegen|bekannt|gegeben|erhalten)|\\baus deinem kontext',
  ),
  signal(
    'call-tool',
    'tool',
    2,
    `\\b(?:rufe?|benutze|verwende|fuhre|starte) ${gap(30)}\\b(?:werkzeug|tool|funktion)\\w*`,
  ),
];
