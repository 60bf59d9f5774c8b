/** A value for light and one for dark surroundings. */
export interface Shades {
  light: string;
  dark: string;
}

const same = (value: string): Shades => ({ light: value, dark: value });

/** The colors of elements and console. Pages may replace each of them by a CSS variable `--rp-<name>`. */
export const COLORS = {
  /** Ground of a page, of cards upon it, and of areas that recede. */
  bg: { light: '#faf9f7', dark: '#141312' },
  surface: { light: '#ffffff', dark: '#1c1b19' },
  tint: { light: '#f4f2ef', dark: '#262422' },
  /** Separators, frames of cards, and frames of controls, which stand out by 3:1. */
  line: { light: '#e7e3de', dark: '#312e2b' },
  'line-strong': { light: '#d2ccc5', dark: '#47433e' },
  edge: { light: '#8a837b', dark: '#817a72' },
  /** Text, and text of less weight. */
  ink: { light: '#1d1b19', dark: '#efece9' },
  dim: { light: '#665f58', dark: '#a9a29a' },
  /** The red of a red pen: as text or sign, as ground of `on-fill`, and as a light ground. */
  accent: { light: '#c3202f', dark: '#ff7f87' },
  'accent-fill': { light: '#c3202f', dark: '#cf303f' },
  'accent-tint': { light: '#fcf0f0', dark: '#2f1a1c' },
  'on-fill': same('#ffffff'),
  link: { light: '#2353b8', dark: '#8fb4ff' },
  focus: { light: '#2353b8', dark: '#8fb4ff' },
  'focus-tint': { light: '#eef3fd', dark: '#1b2438' },
  /** Severities as text or sign, and as ground of `on-fill`. */
  critical: { light: '#b4132a', dark: '#ff8b93' },
  high: { light: '#ac4208', dark: '#ffa466' },
  medium: { light: '#785800', dark: '#e3bd52' },
  low: { light: '#2a5db0', dark: '#8fb4ff' },
  info: { light: '#5b5f6a', dark: '#a9acb7' },
  'critical-fill': same('#b4132a'),
  'high-fill': same('#b3460b'),
  'medium-fill': same('#7e5d00'),
  'low-fill': same('#2a5db0'),
  'info-fill': same('#565964'),
  good: { light: '#176b41', dark: '#74d39a' },
  'good-tint': { light: '#edf7f1', dark: '#14251b' },
  warn: { light: '#785800', dark: '#e3bd52' },
  'warn-tint': { light: '#fbf5e3', dark: '#2a2413' },
  bad: { light: '#b4132a', dark: '#ff8b93' },
  'bad-tint': { light: '#fdf1f1', dark: '#2e1a1c' },
  /** Marked words of a page, and words that a suggestion removes or adds. */
  mark: { light: '#fff0b8', dark: '#574810' },
  'removed-tint': { light: '#fbe3e4', dark: '#4a2025' },
  'added-tint': { light: '#d9f0e2', dark: '#173d28' },
} as const satisfies Record<string, Shades>;

export type ColorName = keyof typeof COLORS;

/** Everything but colors. Lengths are multiples of 4 px. */
export const MEASURES = {
  radius: '6px',
  'radius-large': '10px',
  'radius-small': '4px',
  font: 'system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", "Noto Sans", sans-serif',
  mono: 'ui-monospace, SFMono-Regular, Menlo, Consolas, "Liberation Mono", monospace',
  size: '14px',
  'size-small': '12.5px',
  'size-large': '16px',
  leading: '1.5',
  shadow: '0 1px 2px rgb(29 27 25 / 0.06), 0 8px 24px rgb(29 27 25 / 0.12)',
  'shadow-small': '0 1px 2px rgb(29 27 25 / 0.08)',
} as const;

const shadeOf = ({ light, dark }: Shades): string =>
  light === dark ? light : `light-dark(${light}, ${dark})`;

const entries = (): [name: string, value: string][] => [
  ...Object.entries(COLORS).map(([name, shades]): [string, string] => [name, shadeOf(shades)]),
  ...Object.entries(MEASURES),
];

/**
 * The rule that gives the tokens their values, for a page of our own: `tokensRule(':root')`. Colors follow
 * `color-scheme`, so a theme is a `color-scheme`.
 */
export const tokensRule = (selector: string): string =>
  `${selector} {\n${entries()
    .map(([name, value]) => `  --rp-${name}: ${value};\n`)
    .join('')}}\n`;

/**
 * The same for an element on a page of others, where the variables of the page decide. The element reads `--_<name>`:
 * if it set `--rp-<name>` itself, this would hide what its surroundings say.
 */
export const tokensWithin = (selector: string): string =>
  `${selector}{${entries()
    .map(([name, value]) => `--_${name}:var(--rp-${name},${value});`)
    .join('')}}`;
