import { gapInLine as gap, type Signal, signal } from './signal.ts';

const rules = '(?:instruccion(?:es)?|indicaciones|ordenes|directrices|prompts?|reglas|directivas)';
const drop =
  '(?:ignora(?:d|r)?|ignore|olvida(?:d|r)?|olvide|descarta(?:r)?|omite|desobedece|haz caso omiso|haga caso omiso|no sigas|no siga)';
const tell =
  '(?:revel\\w+|muestr\\w+|mostrar|imprim\\w+|repit\\w+|envi\\w+|transmit\\w+|escrib\\w+|divulg\\w+|da|dime|dame|copi\\w+|agreg\\w+|anad\\w+|inclu\\w+)';

/** Written without accents, because signals match folded text. */
export const spanishSignals: readonly Signal[] = [
  signal(
    'drop-all',
    'override',
    3,
    `\\b${drop} (?:de )?(?:todas?|todos|tus|sus|cualquier|las demas) ${gap(36)}${rules}`,
  ),
  signal(
    'drop',
    'override',
    2,
    `\\b${drop} ${gap(20)}${rules}${gap(16)}\\b(?:anterior(?:es)?|previas?|de arriba|originales|iniciales|del sistema|precedentes|recibidas|dadas)`,
  ),
  signal('drop', 'override', 1, '\\b(?:ignora|ignore|olvida|olvide) (?:todo )?lo (?:anterior|que)'),
  signal(
    'then-order',
    'override',
    1,
    `${rules}${gap(30)}(?:\\by\\b|\\bluego\\b|[,.:;!]) ?(?:en su lugar,? )?(?:respond\\w+|inform\\w+|di|diga|escrib\\w+|envi\\w+|muestr\\w+|declar\\w+|indi(?:ca|que)|revel\\w+|report\\w+)`,
  ),
  signal(
    'addressed',
    'override',
    2,
    '\\b(?:atencion|estimad[oa]s?|querid[oa]s?|nota (?:a|para)|mensaje (?:a|para)|aviso (?:a|para)|instruccion(?:es)? (?:a|para)|a|para) ?,? ?(?:tod[oa]s? |l[oa]s? |el |cualquier |toda )*(?:ia|ai|llms?|inteligencias? artificiale?s?|inteligencia artificial|modelos? de lenguaje|asistentes? (?:de ia|virtuale?s?|automaticos?)|agentes? (?:de ia|automaticos?)|bots?|revisor(?:es)? automaticos?)\\b',
  ),
  signal(
    'addressed',
    'override',
    2,
    `\\bsi (?:eres|usted es|es usted) ${gap(10)}\\b(?:ia|ai|llm|inteligencia artificial|modelo|asistente|bot|agente|revisor)`,
  ),
  signal(
    'addressed',
    'override',
    2,
    `\\bcomo (?:ia|ai|modelo|asistente|agente|revisor|inteligencia)\\w*${gap(24)}(?:debes|debe|tienes|responde|no |,)`,
  ),
  signal(
    'addressed',
    'override',
    1,
    '(?:^|[.!?\\n>"\'\\[¡] ?)(?:ia|asistente|modelo|revisor|evaluador)(?: \\w+)? ?[:,!]',
  ),
  signal(
    'persona',
    'role',
    2,
    `\\b(?:eres ahora|ahora eres|ya no eres|usted es ahora) ${gap(24)}(?:ia|asistente|modelo|modo|sin restricciones|agente|revisor|libre)|\\b(?:a partir de ahora|desde ahora|de ahora en adelante),? (?:eres|debes|responde|solo|vas|tu)|\\b(?:tu|su) (?:nueva|verdadera|unica) (?:tarea|mision|instruccion) (?:es|consiste)|\\bnuevas? (?:instruccion(?:es)?|ordenes) ?:`,
  ),
  signal(
    'keep-back',
    'suppress',
    2,
    `\\b(?:no|nunca|jamas) (?:debes |debe |hay que )?(?:inform\\w+|report\\w+|mencion\\w+|senal\\w+|indi(?:car|ques?)|list\\w+|incluyas?)${gap(34)}(?:error(?:es)?|problemas?|defectos?|hallazgos?|fallos?|infracciones|esta pagina|nada|ningun\\w*)`,
  ),
  signal(
    'dictated-verdict',
    'suppress',
    2,
    `\\b(?:respond\\w+|inform\\w+|di|diga|declar\\w+|indi(?:ca|que)|escrib\\w+|conclu\\w+|devuelv\\w+|calif\\w+|report\\w+|mar(?:ca|que)) ${gap(50)}(?:\\b(?:ningun|ninguna|cero|sin|no hay|no tiene) ?(?:\\w+ )?(?:error(?:es)?|problemas?|defectos?|hallazgos?|fallos?|resultados?)|perfect[oa]|aprobad[oa]|impecable|correct[oa]|lista vacia|maxima puntuacion|100|10/10)`,
  ),
  signal(
    'own-prompt',
    'exfiltrate',
    3,
    `\\b${tell} ${gap(30)}(?:prompt (?:del? sistema|inicial|oculto)|instrucciones del sistema|mensaje del? sistema|tus instrucciones|sus instrucciones)`,
  ),
  signal(
    'secrets',
    'exfiltrate',
    1,
    `\\b${tell} ${gap(40)}(?:claves? (?:de )?api|contrasenas?|credenciales|secretos?|tokens?|variables)`,
  ),
  signal(
    'send-to',
    'exfiltrate',
    1,
    `\\b(?:envi\\w+|transmit\\w+|llam\\w+|abr[ae]|visit\\w+|carg\\w+) ${gap(70)}(?:https?://|@)`,
  ),
  signal(
    'given-to-you',
    'exfiltrate',
    1,
    '\\bque (?:conoces|tienes|conoce|has recibido|te (?:dieron|han dado))|\\ben tu contexto',
  ),
  signal(
    'call-tool',
    'tool',
    2,
    `\\b(?:llam\\w+|us(?:a|e|ar)|utili[zc]\\w+|ejecut\\w+|invo[cq]\\w+) ${gap(20)}\\b(?:herramienta|funcion|tool)\\b`,
  ),
];
