/** Values of attributes; undefined and false leave the attribute out. */
export type Attributes = Readonly<Record<string, string | number | boolean | undefined>>;

/** A child: an element, or a text, which stays text whatever it has. */
export type Child = Node | string;

/** Makes an element. Texts become text nodes: no text of an object is ever read as markup. */
export function element<K extends keyof HTMLElementTagNameMap>(
  name: K,
  attributes: Attributes = {},
  ...children: readonly Child[]
): HTMLElementTagNameMap[K] {
  const made = document.createElement(name);
  setAttributes(made, attributes);
  made.append(...children);
  return made;
}

/** As `element`, of SVG. */
export function svg(name: string, attributes: Attributes = {}, ...children: readonly Child[]): SVGElement {
  const made = document.createElementNS('http://www.w3.org/2000/svg', name);
  setAttributes(made, attributes);
  made.append(...children);
  return made;
}

/** Sets or removes attributes. */
export function setAttributes(target: Element, attributes: Attributes): void {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined || value === false) target.removeAttribute(name);
    else target.setAttribute(name, value === true ? '' : String(value));
  }
}

/** The element of the page with this id. Throws where the page has none. */
export function byId<T extends HTMLElement = HTMLElement>(id: string): T {
  const found = document.getElementById(id);
  if (!found) throw new Error(`The page has no element ${id}`);
  return found as T;
}
