import { type CssNode, generate, type List, parse } from 'css-tree';
import { shortenFiles } from './shorten-files.ts';

/** What gets no say in the cascade by standing first, so that of repeated ones the last is enough. */
const UNMOVED = /^(import|charset|namespace)$/i;

/**
 * One sheet of the rules of many: comments and spaces gone, embedded files shortened, and of equal rules
 * only the last kept, which is the one that wins.
 */
export function cleanCss(sheets: readonly string[]): string {
  const rules: string[] = [];
  for (const sheet of sheets) rules.push(...rulesOf(sheet));
  const last = new Map(rules.map((rule, index) => [rule, index]));
  return rules.filter((rule, index) => last.get(rule) === index).join('\n');
}

function rulesOf(sheet: string): string[] {
  try {
    const tree = parse(sheet, {
      parseValue: false,
      parseCustomProperty: false,
      parseAtrulePrelude: false,
      parseRulePrelude: false,
    });
    return 'children' in tree && tree.children ? topRules(tree.children) : [];
  } catch {
    // A sheet nested deeper than the stack reaches is kept as it is.
    return [shortenFiles(sheet.trim())];
  }
}

function topRules(nodes: List<CssNode>): string[] {
  return nodes.toArray().flatMap((node) => {
    // Imported sheets are among the sheets, and a charset is done with once the text is read.
    if (node.type === 'Comment' || (node.type === 'Atrule' && UNMOVED.test(node.name))) return [];
    const text = shortenFiles(generate(node).trim());
    return text === '' ? [] : [text];
  });
}
