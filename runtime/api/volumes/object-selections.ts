/** Stands in the path of a file for the name of each selected object. */
export const namePlaceholder = '{name}';

/** Most entries with a pattern or tag: each is compared with all objects of the vault. */
export const mostSelections = 20;

const patternForm = /^[0-9a-zA-Z*?-]{1,127}$/;
/** Characters of a tag: names have 512 at Azure and values 256. */
const longestTag = 800;

/** The texts of an entry that selects objects of a vault; empty ones are not set. */
export interface SelectionTexts {
  readonly pattern: string;
  /** `<name>=<value>` or `<name>`. */
  readonly tag: string;
  readonly file: string;
}

/** Which text is wrong and what it must be; undefined where all are fine. */
export function selectionProblem({
  pattern,
  tag,
  file,
}: SelectionTexts): { text: keyof SelectionTexts; mustBe: string } | undefined {
  if (pattern !== '' && !patternForm.test(pattern)) {
    return { text: 'pattern', mustBe: 'must be 1 to 127 letters, digits, hyphens, * and ?' };
  }
  if (tag !== '' && (tag.startsWith('=') || tag.length > longestTag)) {
    return { text: 'tag', mustBe: `must be <name>=<value> or <name>, of at most ${longestTag} characters` };
  }
  if (!file.includes(namePlaceholder)) {
    return { text: 'file', mustBe: `must have ${namePlaceholder}, which stands for the name of each object` };
  }
  return undefined;
}
