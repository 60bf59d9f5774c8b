// Entry points of css-tree for which its types have no declaration. The main one also loads a grammar of CSS, which takes
// a tenth of a second at each start.

declare module 'css-tree/tokenizer' {
  export { tokenize, tokenTypes } from 'css-tree';
}

declare module 'css-tree/utils' {
  export { string, url } from 'css-tree';
}
