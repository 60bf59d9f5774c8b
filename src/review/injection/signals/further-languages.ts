import { gapInLine as gap, type Signal, signal } from './signal.ts';

/** The most telling phrases of languages that have no list of their own. */
export const furtherSignals: readonly Signal[] = [
  signal(
    'drop-all',
    'override',
    3,
    `\\b(?:ignora|ignorare|dimentica|ignore|esqueca|desconsidere) ${gap(12)}(?:tutte|le|todas|as|tue|suas) ${gap(24)}(?:istruzioni|instrucoes|regole|regras)${gap(14)}(?:precedenti|anteriores|sopra|acima)`,
  ),
  signal(
    'drop-all',
    'override',
    3,
    '(?:игнорируи\\w*|игнориру\\S*|забудь\\S*|проигнорируи\\S*)[^.!?\\n]{0,20}(?:предыдущ|прежн|все|ранние|системн)[^.!?\\n]{0,20}(?:инструкц|указан|команд|правил|промпт)',
  ),
  signal(
    'drop-all',
    'override',
    3,
    '(?:以前|これまで|上記|前)の[^。！？\\n]{0,6}(?:指示|命令|プロンプト)[^。！？\\n]{0,6}(?:無視|忘れ)|(?:이전|위의)[^.!?\\n]{0,8}(?:지시|명령|지침)[^.!?\\n]{0,8}(?:무시|잊)',
  ),
  signal(
    'dictated-verdict',
    'suppress',
    2,
    `(?:сообщи\\S*|ответь\\S*|напиши\\S*|segnala|rispondi|responda|informe) ${gap(40)}(?:нет|без|nessun|nenhum|sem) ?(?:ошибок|проблем|problem\\w*|err[oi]\\w*|замечании)`,
  ),
  signal(
    'keep-back',
    'suppress',
    2,
    `(?:не (?:сообщаи|упоминаи|указываи)\\S*|non (?:segnalare|riportare)|nao (?:relate|reporte|mencione))${gap(30)}(?:ошиб|проблем|problem|err[oi])`,
  ),
];
