import { gapInLine as gap, type Signal, signal } from './signal.ts';

const rules = '(?:instructions?|consignes?|directives?|prompts?|regles?|ordres)';
const drop =
  '(?:ignore[zr]?|oublie[zr]?|neglige[zr]?|ne ten(?:ez|ir) (?:pas|aucun) compte|ne tiens (?:pas|aucun) compte|fais abstraction|faites abstraction|abandonne[zr]?|contourne[zr]?)';
const tell =
  '(?:revel\\w*|affich\\w*|montre[zr]?|donne[zr]?|envo[iy]\\w*|transmet\\w*|repete[zr]?|imprime[zr]?|divulgue[zr]?|ecris|ecrivez|recopie[zr]?|ajoute[zr]?|inclus|incluez)';

/** Written without accents, because signals match folded text. */
export const frenchSignals: readonly Signal[] = [
  signal(
    'drop-all',
    'override',
    3,
    `\\b${drop} (?:de )?(?:toute?s?|tes|vos|l'ensemble|tous) ${gap(36)}${rules}`,
  ),
  signal(
    'drop',
    'override',
    2,
    `\\b${drop} ${gap(20)}${rules}${gap(16)}\\b(?:precedente?s?|anterieure?s?|ci-dessus|initiales?|systeme|ci-avant|d'origine|donnees?|recues?)`,
  ),
  signal('drop', 'override', 1, '\\b(?:ignore[zr]?|oublie[zr]?) (?:tout )?ce qui (?:precede|est ci-dessus)'),
  signal(
    'then-order',
    'override',
    1,
    `${rules}${gap(30)}(?:\\bet\\b|\\bpuis\\b|\\bmais\\b|[,.:;!]) ?(?:a la place,? )?(?:reponds|repond\\w*|signal\\w*|indique|indiquez|dis|dites|ecris|ecrivez|envo[iy]\\w*|affich\\w*|declare[zr]?|donne[zr]?|revel\\w*)`,
  ),
  signal(
    'addressed',
    'override',
    2,
    `\\b(?:a l'attention de|attention|cher|chere|chers|note (?:a|aux|pour)|message (?:a|aux|pour)|instructions? (?:a|aux|pour)|a|aux|pour) ?,? ?(?:tous? |toutes? |les? |la |l'|toute |des |s |du |d'|une? )*(?:ia|ai|llms?|intelligences? artificielles?|modeles? de langage|assistants? (?:ia|virtuels?|automatiques?)|agents? (?:ia|automatiques?)|robots?|relecteurs? automatiques?|evaluateurs? automatiques?)\\b`,
  ),
  signal(
    'addressed',
    'override',
    2,
    `\\bsi (?:tu es|vous etes) ${gap(10)}\\b(?:ia|ai|llm|intelligence artificielle|modele|assistant|robot|agent|relecteur|evaluateur)`,
  ),
  signal(
    'addressed',
    'override',
    2,
    `\\ben tant qu(?:e |')(?:ia|ai|modele|assistant|agent|relecteur|evaluateur|intelligence|reviseur)\\w*${gap(24)}(?:tu|vous|,)`,
  ),
  signal(
    'addressed',
    'override',
    2,
    '(?:^|[.!?\\n>"\'(\\[] ?)(?:ia|(?:assistants?|agents?|modeles?) ia|modeles? de langage|llms?) ?[:,!]',
  ),
  signal(
    'addressed',
    'override',
    1,
    '(?:^|[.!?\\n>"\'\\[] ?)(?:assistant|modele|relecteur|evaluateur)(?: \\w+)? ?[:,!]',
  ),
  signal(
    'persona',
    'role',
    2,
    `\\b(?:tu es|vous etes) (?:desormais|maintenant|a present) ${gap(24)}(?:ia|assistant|modele|mode|libre|sans restriction|agent|relecteur)|\\b(?:a partir de maintenant|desormais),? (?:tu|vous|reponds|repondez)|\\b(?:ta|votre) (?:nouvelle|vraie|seule) (?:mission|tache|consigne) (?:est|consiste)|\\bnouvelles? (?:instructions?|consignes?) ?:`,
  ),
  signal(
    'keep-back',
    'suppress',
    2,
    `\\b(?:ne|n')${gap(14)}(?:signal\\w*|mentionn\\w*|rapporte[zr]?|releve[zr]?|indique[zr]?|liste[zr]?|note[zr]?) (?:pas|aucune?|rien|jamais)${gap(30)}(?:erreurs?|problemes?|defauts?|anomalies?|violations?|constats?|cette page|ce site)`,
  ),
  signal('keep-back', 'suppress', 2, '\\bne (?:signal\\w*|rapporte[zr]?|releve[zr]?) (?:aucune?|rien)'),
  signal(
    'dictated-verdict',
    'suppress',
    2,
    `\\b(?:reponds|repond\\w*|indique[zr]?|declare[zr]?|dis|dites|ecris|ecrivez|conclus|concluez|signal\\w*|renvoie|renvoyez|donne[zr]?|note[zr]?|affirme[zr]?|rapporte[zr]?) ${gap(50)}(?:\\b(?:aucune?|zero|sans|pas d[e']) ?(?:erreurs?|problemes?|defauts?|anomalies?|constats?|resultats?)|parfaite?|conforme|approuvee?|irreprochable|liste vide|note maximale|100|10/10|20/20)`,
  ),
  signal(
    'own-prompt',
    'exfiltrate',
    3,
    `\\b${tell} ${gap(30)}(?:prompt systeme|prompt (?:initial|cache)|instructions? systeme|(?:tes|vos) (?:instructions|consignes)|message systeme)`,
  ),
  signal(
    'secrets',
    'exfiltrate',
    1,
    `\\b${tell} ${gap(40)}(?:cles? (?:api|d'api)|mots? de passe|identifiants|secrets?|jetons?|variables)`,
  ),
  signal(
    'send-to',
    'exfiltrate',
    1,
    `\\b(?:envo[iy]\\w*|transmet\\w*|appel\\w*|ouvre[zr]?|visite[zr]?|charge[zr]?) ${gap(70)}(?:https?://|@)`,
  ),
  signal(
    'given-to-you',
    'exfiltrate',
    1,
    "\\b(?:que )?(?:tu connais|vous connaissez|tu as recue?s?|vous avez recue?s?|t'ont ete|vous ont ete)|\\bdans (?:ton|votre) contexte",
  ),
  signal(
    'call-tool',
    'tool',
    2,
    `\\b(?:appel\\w*|utilis\\w*|execut\\w*|lance[zr]?|invoque[zr]?) ${gap(20)}\\b(?:outil|fonction|tool)\\b`,
  ),
];
