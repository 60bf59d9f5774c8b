import type { Plugin } from 'vite';

interface License {
  name: string;
  version: string;
  identifier?: string;
  text?: string;
}

const HEADING = 'Licenses of the libraries that these files contain';

const printLicense = ({ name, version, identifier, text }: License): string =>
  `${'-'.repeat(80)}\n${name} ${version}${identifier === undefined ? '' : ` (${identifier})`}\n\n${text?.trim() ?? ''}`;

/** The file that Vite writes the licenses of libraries to, for `licenses` to print. */
export const LICENSES = { fileName: 'licenses.json' };

/** Writes the licenses of all bundled libraries as a text. */
export const licenses = (): Plugin => ({
  name: 'redpen:licenses',
  enforce: 'post',
  generateBundle: {
    order: 'post',
    handler(_, bundle) {
      const found = bundle[LICENSES.fileName];
      const list = found?.type === 'asset' ? (JSON.parse(String(found.source)) as License[]) : [];
      delete bundle[LICENSES.fileName];
      const source = `${[HEADING, ...list.map(printLicense)].join('\n\n')}\n`;
      this.emitFile({ type: 'asset', fileName: 'licenses.txt', source });
    },
  },
});
