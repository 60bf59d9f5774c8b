import type { Doc } from 'yjs';
import { invalidArgument } from '../../lib/errors.ts';
import { storable } from '../../lib/text/cut-text.ts';
import { newDiffBudget, type Patience } from './compare-lists.ts';
import { createInterner } from './intern-trees.ts';
import { parseXml, type XmlNode } from './parse-xml.ts';
import type { Codec } from './plan-change.ts';
import {
  type Branch,
  isBranch,
  isText,
  MAX_LEVELS,
  newBranch,
  type Piece,
  type Tree,
  tooDeep,
} from './value-tree.ts';
import {
  elementTag,
  groupTexts,
  isPlainText,
  markTag,
  writtenName,
  writtenTexts,
  writtenValue,
} from './xml-form.ts';
import { type Lexicon, learnLexicon } from './xml-lexicon.ts';

/** Compares content by its XML; parts with the same XML stay as they are. */
export const newXmlCodec = (doc: Doc, patience?: Patience): Codec => ({
  budget: newDiffBudget(doc, patience),
  comparable: storable,
  markKey: (key, value) => markTag(key, value).open,
  idOfTree: createInterner((tree, idOfTree) => {
    if (!isBranch(tree)) return `=${writtenValue(tree)}`;
    if (isText(tree)) return writtenTexts([tree]);
    const items = groupTexts(tree.items).map((group) =>
      isText(group[0]!) ? writtenTexts(group as Branch[]) : `<${idOfTree(group[0]!)}>`,
    );
    return elementTag(tree).open + items.join('');
  }),
  group: groupTexts,
  isInvisible: (group) => group.every((item) => isText(item) && item.pieces.every((piece) => !piece.text)),
  shape: (item) => {
    if (!isBranch(item)) return null;
    return isText(item) ? '' : writtenName(item.name.toLowerCase());
  },
  become: (before, after) =>
    isBranch(after) ? { ...after, entries: keepEqualValues(before.entries, after.entries) } : undefined,
});

/** The new attributes. Old values stay if their XML is the same, or if XML cannot express them. */
function keepEqualValues(before: Map<string, Tree>, after: Map<string, Tree>): Map<string, Tree> {
  const kept = new Map(after);
  for (const [name, tree] of before) {
    const [old, wanted] = [writtenValue(tree), after.get(name)];
    if (old === (wanted && writtenValue(wanted))) kept.set(name, tree);
  }
  return kept;
}

/** A fragment with the content of an XML string. Throws INVALID_ARGUMENT if it is not well-formed. */
export function becomeXml(before: Branch, data: string, contentKey: string): Branch {
  const nodes = parseXml(data);
  if (!isWritable(before)) {
    throw invalidArgument(
      `The content under contentKey "${contentKey}" contains more than elements and text, ` +
        'and would lose that as XML: only its editor can change it.',
    );
  }
  const items = toTrees(nodes, learnLexicon(before));
  checkLevels(items, 1);
  return newBranch('fragment', { entries: before.entries, items });
}

const isWritable = (branch: Branch): boolean =>
  branch.items.every((item) => isPlainText(item) || (item.sort === 'element' && isWritable(item)));

function checkLevels(items: Tree[], level: number): void {
  for (const item of items) {
    if (item.sort !== 'element') continue;
    if (level > MAX_LEVELS) throw tooDeep('Data');
    checkLevels(item.items, level + 1);
  }
}

function toTrees(nodes: (XmlNode | string)[], lexicon: Lexicon): Tree[] {
  const trees: Tree[] = [];
  const addPiece = (piece: Piece) => {
    const last = trees.at(-1);
    if (last && isText(last)) last.pieces.push(piece);
    else trees.push(newBranch('xmltext', { pieces: [piece] }));
  };
  for (const node of nodes) {
    if (typeof node === 'string') {
      addPiece({ text: storable(node), embed: null, marks: new Map() });
      continue;
    }
    const items = toTrees(node.children, lexicon);
    if (lexicon.isMark(node.name) && items.every(isText)) {
      const mark = lexicon.mark(node.name, node.attributes);
      for (const piece of items.flatMap((text) => (text as Branch).pieces)) {
        addPiece({ ...piece, marks: new Map([mark, ...(piece.marks ?? [])]) });
      }
    } else {
      const name = lexicon.elementName(node.name);
      trees.push(
        newBranch('element', { name, items, entries: lexicon.elementAttributes(name, node.attributes) }),
      );
    }
  }
  return trees;
}
