import { z } from 'zod';
import { pageStrategy } from './gather-strategy.ts';
import { deviceTypeOption } from './reading/device-type-option.ts';
import { inIsolatedWorld } from './reading/isolated-worlds.ts';
import { readComputedStyles, type SelectorStyles } from './reading/read-computed-styles.ts';

const LIMITS = { perSelector: 20, inAll: 100 };

const DEFAULT_PROPERTIES = [
  'display',
  'position',
  'width',
  'height',
  'margin',
  'padding',
  'border',
  'border-radius',
  'box-sizing',
  'overflow',
  'z-index',
  'flex-direction',
  'align-items',
  'justify-content',
  'gap',
  'grid-template-columns',
  'font-family',
  'font-size',
  'font-weight',
  'font-style',
  'line-height',
  'letter-spacing',
  'text-align',
  'text-transform',
  'text-decoration',
  'color',
  'background-color',
  'background-image',
  'opacity',
  'visibility',
  'box-shadow',
  'cursor',
];

const computedStylesOptions = z.looseObject({
  selectors: z.array(z.string().min(1)).min(1).describe('CSS selectors of the elements to inspect.'),
  properties: z
    .array(z.string().min(1))
    .min(1)
    .optional()
    .describe('Properties to read instead of the default ones.'),
  deviceType: deviceTypeOption.optional(),
});

interface ComputedStyles {
  url: string;
  selectors: SelectorStyles[];
}

/** The styles in force for the elements that an agent names, as the browser computes them. */
export const computedStyles = pageStrategy({
  name: 'computed-styles',
  options: computedStylesOptions,
  choice: {
    shows: 'the styles of given elements as the browser computes them',
    locates: 'elements',
    rank: 100,
  },

  // Sizes depend on pictures and fonts.
  view: (options, deviceType) => ({
    deviceType: options.deviceType ?? deviceType,
    waitUntil: 'settled',
    skip: ['media'],
  }),

  async gather({ page, options }): Promise<ComputedStyles> {
    const { selectors, properties = DEFAULT_PROPERTIES } = options;
    const names = properties.map((name) => name.trim()).map(hyphenated);
    const question = JSON.stringify({
      selectors: [...new Set(selectors)],
      names: [...new Set(names)],
      ...LIMITS,
    });
    return {
      url: page.url(),
      selectors: await inIsolatedWorld(page, (world) =>
        world.evaluate<SelectorStyles[]>(`(${readComputedStyles})(${question})`),
      ),
    };
  },

  toPrompt({ url, selectors }) {
    return [{ text: [`Computed styles of ${url}:`, ...selectors.map(describe)].join('\n') }];
  },
});

/** Turns the `fontSize` of scripts into `font-size`. Custom properties keep their case. */
const hyphenated = (name: string): string =>
  name.startsWith('--') ? name : name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

function describe({ selector, error, count, elements }: SelectorStyles): string {
  if (error !== undefined) return `${selector}: ${error}`;
  if (count === 0) return `${selector}: nothing in the page matches.`;
  let before = '';
  const lines = elements.map((element) => {
    const styles = Object.entries(element.styles)
      .map(([name, value]) => `${name}: ${value}`)
      .join('; ');
    const words = element.text ? ` "${element.text}"` : '';
    const same = styles === before;
    before = styles;
    return `  ${element.selector}${words}\n    ${same ? 'the same as the one above' : styles}`;
  });
  const more = count > elements.length ? `\n  (${count - elements.length} more)` : '';
  return `${selector} (${count}):\n${lines.join('\n')}${more}`;
}
