/** Registers an element, unless the page has already one of this name, such as another version of this package. */
export function register(name: `rp-${string}`, element: CustomElementConstructor): void {
  if (customElements.get(name) === undefined) customElements.define(name, element);
}
