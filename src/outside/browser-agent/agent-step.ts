import { z } from 'zod';
import type { BrowserTask } from './browser-agent.ts';

const WITH_ELEMENT = {
  click: 'click the element',
  type: 'put the text into the field',
  select: 'choose the option that the text names in the list',
  hover: 'move the pointer over the element',
  press: 'press the key that the text names, such as Enter, Tab or Escape',
};
const WITH_PLACE = {
  click: 'click the place x, y of the picture, in its px',
  type: 'type the text where the focus is',
  hover: 'move the pointer to x, y',
  press: 'press the key that the text names, such as Enter, Tab or Escape',
};
const ANYWHERE = {
  scroll: 'scroll; the text says up or down, by default down',
  goto: 'open the address in text, which must be of this site',
  back: 'go back to the page before',
  wait: 'give the page a second',
  done: 'end, when there is nothing more to look at',
};
const BY_WORDS = {
  act: 'do on the page what the text says, where no element of the outline fits',
  read: 'have the whole page read for what the text asks',
};

export type ActionName = keyof (typeof WITH_ELEMENT & typeof WITH_PLACE & typeof ANYWHERE & typeof BY_WORDS);

/** Actions of a mode, with their descriptions. */
export const actionsOf = (mode: BrowserTask<unknown>['mode']): Record<string, string> =>
  mode === 'cua' ? { ...WITH_PLACE, ...ANYWHERE } : { ...WITH_ELEMENT, ...BY_WORDS, ...ANYWHERE };

/** A step as the model returns it; `stepOf` normalizes the unknown fields. */
export interface RawStep {
  action: ActionName;
  notes?: unknown;
  element?: unknown;
  text?: unknown;
  x?: unknown;
  y?: unknown;
}

export interface ModelStep {
  action: ActionName;
  notes: string;
  element: string;
  text: string;
  x: number;
  y: number;
}

/** A field that the schema demands and validation does not, since some providers do not enforce schemas. */
const lenient = (type: 'string' | 'number', description: string) =>
  z.unknown().optional().meta({ type, description });

/** The schema of a step that the model must return in a mode. */
export function stepSchema(mode: BrowserTask<unknown>['mode']): z.ZodType<RawStep> {
  const names = Object.keys(actionsOf(mode)) as [ActionName, ...ActionName[]];
  const place =
    mode === 'cua'
      ? {
          x: lenient('number', 'Of the place in the picture, from its left; 0 without one.'),
          y: lenient('number', 'Of the place in the picture, from its top; 0 without one.'),
        }
      : {
          element: lenient(
            'string',
            'Number of the element, as the outline has it in brackets; empty without one.',
          ),
        };
  const fields = {
    notes: lenient(
      'string',
      'What this page has for the task, with exact quotes and its address, to be remembered; empty where it has nothing.',
    ),
    action: z.enum(names).describe('What to do next.'),
    ...place,
    text: lenient('string', 'What the action needs in words: a text, an address or a key; else empty.'),
  };
  return z.object(fields).meta({ required: Object.keys(fields) });
}

export function stepOf({ action, notes, element, text, x, y }: RawStep): ModelStep {
  return {
    action,
    notes: textOf(notes),
    element: textOf(element).replace(/[[\]\s]/g, ''),
    text: textOf(text),
    x: Number(x) || 0,
    y: Number(y) || 0,
  };
}

const textOf = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : '';
