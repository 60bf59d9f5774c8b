import type { Plugin } from 'vite';

const ORDER = '@layer tokens, document, ui, pages;\n';

/**
 * States the order of the cascade layers in each style sheet. The first sheet that a browser reads decides, and which one
 * that is depends on how the bundler cuts the styles.
 */
export const layerOrder = (): Plugin => ({
  name: 'layer-order',
  enforce: 'pre',
  transform: { filter: { id: /\.css$/ }, handler: (code) => ORDER + code },
});
