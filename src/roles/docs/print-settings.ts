import { CLIENT_VARIABLES, listSettings, type SettingDoc } from '../../config.ts';
import { SETTING_GROUPS } from '../settings/setting-groups.ts';
import { wrapWords } from '../terminal/wrap-words.ts';

const USUAL_COLUMNS = 100;
const MIN_COLUMNS = 60;
const MAX_COLUMNS = 120;

const CLIENTS =
  'These are for clients of the service, printed by commands such as `workspace create`. The service passes over them:';

/** The settings under their headings. */
export function groupSettings(): { title: string; settings: SettingDoc[] }[] {
  const settings = new Map(listSettings().map((setting) => [setting.name, setting]));
  return SETTING_GROUPS.map(({ title, names }) => ({
    title,
    settings: names.flatMap((name) => settings.get(name) ?? []),
  }));
}

/** Output of `npm start -- --help`, wrapped at `columns`. */
export function printSettings(columns: number = USUAL_COLUMNS): string {
  const width = Math.min(Math.max(columns, MIN_COLUMNS), MAX_COLUMNS);
  const indented = (text: string, indent: number) =>
    wrapWords(text, width - indent).map((line) => `${' '.repeat(indent)}${line}`);
  const groups = groupSettings().flatMap(({ title, settings }) => [
    '',
    title,
    ...settings.flatMap(({ name, description, fallback }) => [
      '',
      `  ${name}`,
      ...indented(description, 6),
      ...(fallback === undefined ? [] : indented(`Default: ${fallback}`, 6)),
    ]),
  ]);
  return `${[
    ...indented('Redpen: collaboration and AI review as a self-hosted JSON service.', 0),
    '',
    'Usage: npm start [-- --help | --version]',
    '',
    ...indented('All settings are environment variables; none is needed.', 0),
    ...groups,
    '',
    ...indented(CLIENTS, 0),
    '',
    ...CLIENT_VARIABLES.map((name) => `  ${name}`),
  ].join('\n')}\n`;
}
