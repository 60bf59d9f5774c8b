import { noChange } from 'lit';
import { Directive, directive, type ElementPart, type PartInfo, PartType } from 'lit/directive.js';

type Vars = Readonly<Record<`--${string}`, string | number>>;

/** Sets CSS variables by script: a content security policy may forbid `style` attributes. */
class SetVars extends Directive {
  constructor(part: PartInfo) {
    super(part);
    if (part.type !== PartType.ELEMENT) throw new TypeError('setVars belongs into the tag of an element.');
  }

  render(_vars: Vars): typeof noChange {
    return noChange;
  }

  override update(part: ElementPart, [vars]: [Vars]): typeof noChange {
    const { style } = part.element as HTMLElement;
    for (const [name, value] of Object.entries(vars)) style.setProperty(name, String(value));
    return noChange;
  }
}

export const setVars = directive(SetVars);
