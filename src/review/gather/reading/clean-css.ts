import { type CssNode, generate, type List, parse } from 'css-tree';
import { shortenDataUris } from './shorten-data-uris.ts';

/** At-rules without effect in the joined sheet: imports are resolved, and text has no charset. */
const DROPPED = /^(import|charset|namespace)$/i;

/**
 * Joins stylesheets: without comments and spaces, with embedded files shortened, and with the last of equal rules,
 * which wins in the cascade.
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
    // A sheet nested deeper than the call stack is kept as it is.
    return [shortenDataUris(sheet.trim())];
  }
}

function topRules(nodes: List<CssNode>): string[] {
  return nodes.toArray().flatMap((node) => {
    if (node.type === 'Comment' || (node.type === 'Atrule' && DROPPED.test(node.name))) return [];
    const text = shortenDataUris(generate(node).trim());
    return text === '' ? [] : [text];
  });
}
