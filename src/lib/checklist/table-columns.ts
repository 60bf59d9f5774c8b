export type Role = 'reference' | 'title' | 'check' | 'details' | 'severity' | 'url' | 'category' | 'progress';

/** Patterns for column headers by role. The first match wins. */
const NAMES: [Role, RegExp][] = [
  [
    'reference',
    /^(id|#|no\.?|nr\.?|number|ref(erence)?|key|code|(test|item|check|case|tc|req(uirement)?)[ _-]?(case[ _-]?)?(id|no\.?|nr\.?|number|#))$/,
  ],
  [
    'progress',
    /^(status|result|actual( result)?|pass(ed)?|fail(ed)?|pass ?\/ ?fail|done|checked|completed?|ok|y ?\/ ?n|owner|assignee|assigned( to)?|tester|tested by|date|due( date)?|evidence|n ?\/ ?a|ticket|sprint)\b/,
  ],
  ['severity', /^(severity|priority|importance|criticality|level|risk|impact|prio)\b/],
  ['url', /\b(urls?|links?|page|pages|path|address|website)$|^(url|page|where|location)\b/],
  [
    'category',
    /^(category|categories|section|area|group|topic|type|module|component|feature|theme|domain|discipline)\b/,
  ],
  [
    'check',
    /^(checks?|check ?list( items?)?|check ?points?|items?|requirements?|criteri(a|on)|acceptance criteria|rules?|questions?|what to (check|test|verify|look for)|tasks?|prompts?|instructions?|assertions?|tests?|guidelines?|steps?|test steps?)\b/,
  ],
  ['title', /^(title|name|summary|subject|headline|test ?case|scenario|short)\b/],
  [
    'details',
    /^(description|details?|notes?|comments?|remarks?|explanation|expected( results?| behaviou?r| outcome)?|how( to.*)?|guidance|rationale|why|example|context|more)\b/,
  ],
];

const MAX_HEADER_CHARS = 60;
/** The header row must be among this many first rows. */
const MAX_LEAD_ROWS = 20;

export interface Columns {
  /** Index of the header row; -1 if there is none. */
  headerRow: number;
  roles: (Role | undefined)[];
  names: string[];
}

/** Determines the role of each column, by the header if there is one, otherwise by the content. */
export function findColumns(rows: readonly string[][]): Columns {
  const headerRow = rows.slice(0, MAX_LEAD_ROWS).findIndex(isHeaderRow);
  if (headerRow < 0) return { headerRow, roles: rolesByContent(rows), names: [] };
  const names = rows[headerRow]!.map((cell) => cell.trim());
  const roles = names.map(roleOf);
  if (!roles.includes('check')) {
    const substitute = (['title', 'details'] as const).find((role) => roles.includes(role));
    if (substitute !== undefined) roles[roles.indexOf(substitute)] = 'check';
    else {
      const byContent = rolesByContent(rows.slice(headerRow + 1)).indexOf('check');
      if (byContent >= 0) roles[byContent] = 'check';
    }
  }
  return { headerRow, roles, names };
}

function isHeaderRow(row: readonly string[]): boolean {
  const cells = row.map((cell) => cell.trim()).filter((cell) => cell !== '');
  const known = cells.filter((cell) => roleOf(cell) !== undefined).length;
  if (cells.length === 0 || cells.some((cell) => cell.length > MAX_HEADER_CHARS || /[.!?]$/.test(cell)))
    return false;
  // The header of a single column has at most two words; a longer cell is an item that begins with such a word.
  if (cells.length === 1) return known === 1 && cells[0]!.split(/\s+/).length <= 2;
  return known >= 2 && new Set(cells).size === cells.length && known >= cells.length / 2;
}

/** The role of a column by its header. */
export function roleOf(name: string): Role | undefined {
  const plain = name
    .toLowerCase()
    .replace(/[*:_]+/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();
  return NAMES.find(([, form]) => form.test(plain))?.[0];
}

/** The column with the longest text is the check; a short column of numbers before it is the reference. */
function rolesByContent(rows: readonly string[][]): (Role | undefined)[] {
  const width = rows.reduce((widest, row) => Math.max(widest, row.length), 0);
  const columns = Array.from({ length: width }, (_, index) =>
    rows.map((row) => row[index]?.trim() ?? '').filter((cell) => cell !== ''),
  );
  const letters = columns.map((cells) =>
    cells.reduce((sum, cell) => sum + cell.replace(/[^\p{L}]/gu, '').length, 0),
  );
  const most = letters.indexOf(Math.max(0, ...letters));
  return columns.map((cells, index) => {
    if (index === most && letters[index]! > 0) return 'check';
    if (cells.length > 0 && cells.every((cell) => /^(https?:\/\/|\/)\S*$/.test(cell))) return 'url';
    if (
      cells.length > 0 &&
      cells.every((cell) => /^(critical|high|medium|low|info|minor|major|p[0-4])$/i.test(cell))
    )
      return 'severity';
    if (cells.length > 0 && cells.every((cell) => /^[\w.#-]{0,12}\d[\w.-]{0,6}$/.test(cell)))
      return 'reference';
    if (cells.length > 0 && cells.every((cell) => /^(true|false|yes|no|x|✓|✔|-)$/i.test(cell)))
      return 'progress';
    return 'details';
  });
}
