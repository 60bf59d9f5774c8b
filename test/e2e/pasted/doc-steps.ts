/** A shell block of a page, with the output that the page promises. */
export interface Step {
  /** `page.md:line` of the block. */
  where: string;
  code: string;
  /** The reason why the block is not run; absent if it is run. */
  notRun?: string;
  /** Name of the terminal for the block. */
  terminal: string;
  /** True if the last command runs until it is interrupted. */
  stays: boolean;
  promises: { kind: 'text' | 'json'; text: string }[];
}

const FENCE = /^( *)```(\w*)$/;
const COMMENT = /^ *<!-- (.*) -->$/;

/**
 * The shell blocks of a page, each with the `text` and `json` blocks that follow it. A comment before a block holds what
 * readers need not see: `<!-- not run: reason -->`, `<!-- terminal: name, stays until it prints this -->`, and
 * `<!-- elsewhere -->` before output that belongs to no block of the page.
 */
export function readSteps(page: string, markdown: string): Step[] {
  const steps: Step[] = [];
  const lines = markdown.split('\n');
  let latest: Step | undefined;
  for (let at = 0; at < lines.length; at++) {
    // A block under another heading is no output of an earlier one.
    if (lines[at]!.startsWith('#')) latest = undefined;
    const [, indent, language = ''] = FENCE.exec(lines[at]!) ?? [];
    if (indent === undefined) continue;
    const end = lines.indexOf(`${indent}\`\`\``, at + 1);
    if (end === -1) throw new Error(`The block at ${page}:${at + 1} has no end.`);
    const text = lines
      .slice(at + 1, end)
      .map((line) => (line.startsWith(indent) ? line.slice(indent.length) : line))
      .join('\n');
    const [, comment = ''] = COMMENT.exec(lines[at - 1] ?? '') ?? [];
    if (language === 'sh') {
      const [, terminal = 'main', stays, until] =
        /^terminal: (\w+)(, stays(?: until (.+))?)?$/.exec(comment) ?? [];
      const [, notRun] = /^not run: (.+)$/.exec(comment) ?? [];
      latest = {
        where: `${page}:${at + 1}`,
        code: text,
        ...(notRun && { notRun }),
        terminal,
        stays: stays !== undefined,
        promises: until ? [{ kind: 'text', text: `…${until}…` }] : [],
      };
      steps.push(latest);
    } else if ((language === 'text' || language === 'json') && comment !== 'elsewhere') {
      latest?.promises.push({ kind: language, text });
    }
    at = end;
  }
  return steps;
}
