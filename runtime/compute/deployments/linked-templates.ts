/** Texts of linked templates by path relative to the template, URI without its query, or id of a template spec. */
export type LinkedTemplates = Readonly<Record<string, string>>;

/**
 * The text of the template that a link names: under the link itself, or under the longest end of its path, with or without
 * `.json`, so that a copy of a folder stands for its URIs. Undefined where there is none.
 */
export function linkedTemplate(link: string, texts: LinkedTemplates): string | undefined {
  if (Object.hasOwn(texts, link)) return texts[link];
  const segments = (URL.parse(link)?.pathname ?? link).split('/').filter((segment) => segment !== '');
  for (const index of segments.keys()) {
    const end = segments.slice(index).join('/');
    const name = [end, `${end}.json`].find((each) => Object.hasOwn(texts, each));
    if (name !== undefined) return texts[name];
  }
  return undefined;
}
