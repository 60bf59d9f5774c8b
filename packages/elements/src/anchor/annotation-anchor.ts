import { type Anchor, type ElementLook, type Point, singleSpaced } from './anchor.ts';
import { lookOfSnippet } from './element-look.ts';

type Fields = Readonly<Record<string, unknown>>;

/** The parts of an annotation, full or as `fields: 'anchors'` returns it, that say where it is. */
export interface Anchored {
  isPageAnnotation?: unknown;
  targetElement?: unknown;
  agent?: unknown;
  place?: { targetElement?: unknown; isPageAnnotation?: unknown } | undefined;
}

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const fieldsIn = (value: unknown): Fields => (isFields(value) ? value : {});
const textIn = (value: unknown): string => (typeof value === 'string' ? value : '');
const countIn = (value: unknown): number | undefined =>
  typeof value === 'number' && Number.isInteger(value) && value > 0 ? value : undefined;

/** The anchor of an annotation; undefined if it is about its whole page, or says nothing of its place. */
export function anchorOf(annotation: Anchored): Anchor | undefined {
  const { place = annotation } = annotation;
  if (place.isPageAnnotation === true) return undefined;
  const target = fieldsIn(place.targetElement);
  const reason = fieldsIn(fieldsIn(annotation.agent).reason);
  const quote = quoteIn(target, reason);
  const look = lookIn(target, reason, quote === undefined);
  const anchor: Anchor = {
    quote,
    selector: textIn(target.selector) || textIn(reason.htmlSelector),
    xpath: textIn(target.xpath) || textIn(reason.targetElementXpath),
    // What is said of the words is about the words, and not about the element around them.
    look: reason.findingType === 'text' ? undefined : look,
    point: pointIn(target.point),
  };
  const isEmpty = !anchor.quote && anchor.selector === '' && anchor.xpath === '' && !anchor.look;
  return isEmpty ? undefined : anchor;
}

function quoteIn(target: Fields, reason: Fields): Anchor['quote'] {
  const text = singleSpaced(textIn(target.targetText));
  if (text === '') return undefined;
  return {
    text,
    occurrence: countIn(target.occurrence) ?? 1,
    total: countIn(target.occurrences),
    before: singleSpaced(textIn(target.textBefore) || textIn(reason.textBefore)),
    after: singleSpaced(textIn(target.textAfter) || textIn(reason.textAfter)),
  };
}

const UNKNOWN_LOOK: ElementLook = {
  role: '',
  text: '',
  end: '',
  attributes: {},
  before: undefined,
  after: undefined,
  total: undefined,
};

function lookIn(target: Fields, reason: Fields, isOfElement: boolean): ElementLook | undefined {
  const kept = fieldsIn(target.look);
  if (typeof kept.role === 'string') {
    return {
      role: kept.role,
      text: textIn(kept.text),
      end: textIn(kept.end),
      attributes: Object.fromEntries(
        Object.entries(fieldsIn(kept.attributes)).flatMap(([name, value]) =>
          typeof value === 'string' ? [[name, value]] : [],
        ),
      ),
      before: typeof kept.before === 'string' ? kept.before : undefined,
      after: typeof kept.after === 'string' ? kept.after : undefined,
      total: countIn(kept.total),
    };
  }
  const shown = lookOfSnippet(textIn(reason.htmlSnippet));
  if (shown) return shown;
  const isNamed = [target.selector, target.xpath, reason.htmlSelector, reason.targetElementXpath].some(
    Boolean,
  );
  return isOfElement && isNamed ? UNKNOWN_LOOK : undefined;
}

const isFraction = (value: unknown): value is number => typeof value === 'number' && value >= 0 && value <= 1;

function pointIn(value: unknown): Point | undefined {
  const { x, y } = fieldsIn(value);
  return isFraction(x) && isFraction(y) ? { x, y } : undefined;
}

/** `targetElement` of an annotation at an anchor, from which `anchorOf` makes the same anchor again. */
export function targetOf({ quote, selector, xpath, look, point }: Anchor): Record<string, unknown> {
  return {
    ...(quote && {
      targetText: quote.text,
      occurrence: quote.occurrence,
      ...(quote.total !== undefined && { occurrences: quote.total }),
      textBefore: quote.before,
      textAfter: quote.after,
    }),
    ...(selector !== '' && { selector }),
    ...(xpath !== '' && { xpath }),
    ...(look && { look }),
    ...(point && { point }),
  };
}
