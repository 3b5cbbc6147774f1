import { Yaml } from 'cdk8s';

/** The printer of cdk8s. Bound here, because a synthesis replaces it for a moment. */
const byLibrary = Yaml.stringify.bind(Yaml);

/** Words that YAML 1.1 reads as a boolean or as null. */
const reserved: ReadonlySet<string> = new Set(['y', 'n', 'yes', 'no', 'on', 'off', 'true', 'false', 'null']);

/** A text that starts with a letter and has no mark of YAML. */
const harmless = /^[A-Za-z](?:[\w .,;/()$=+'-]|:(?=[\w/]))*$/;

/** A text with a colon that ends a key, and neither quotes nor a character to escape. */
const colon = /^[A-Za-z](?=.*: )[\w .,;:/()$=+*&!%@`{}[\]|<>#?~^-]+$/;

/**
 * YAML documents with the text that `Yaml.stringify` of cdk8s gives them, in a third of the time: maps, lists and plain
 * words are printed here, and cdk8s prints every other text.
 */
export function printYaml(...documents: readonly unknown[]): string {
  return documents.map(printDocument).join('---\n');
}

function printDocument(document: unknown): string {
  if (!isBranch(document)) return byLibrary(document);
  const parts: string[] = [];
  addBranch(parts, document, { before: '', line: '\n' });
  return `${parts.join('')}\n`;
}

type Branch = readonly unknown[] | Readonly<Record<string, unknown>>;

/** Whether a value has lines of its own. */
function isBranch(value: unknown): value is Branch {
  if (Array.isArray(value)) return value.length > 0;
  if (typeof value !== 'object' || value === null || Object.getPrototypeOf(value) !== Object.prototype) return false;
  return Object.keys(value).length > 0;
}

/** Where a map or list stands: the text before its first line, and the end of line with the indentation of the others. */
interface Place {
  readonly before: string;
  readonly line: string;
}

/** Adds the lines of a map or list, in parts that are joined once. */
function addBranch(parts: string[], branch: Branch, { before, line }: Place): void {
  const inner = `${line}  `;
  let start = before;
  const add = (head: string | undefined, value: unknown, gap: string, entry: () => unknown) => {
    if (head !== undefined && isBranch(value))
      addBranch(parts, value, { before: `${start}${head}${gap}`, line: inner });
    else {
      const text = head === undefined || isBranch(value) ? undefined : scalar(value);
      parts.push(start, text === undefined ? indented(entry(), line) : `${head} ${text}`);
    }
    start = line;
  };
  if (Array.isArray(branch)) for (const item of branch) add('-', item, ' ', () => [item]);
  else {
    for (const [key, value] of Object.entries(branch)) {
      add(plain(key) ? `${key}:` : undefined, value, inner, () => ({ [key]: value }));
    }
  }
}

/** The text of a value on one line; undefined where cdk8s decides on it. */
function scalar(value: unknown): string | undefined {
  if (typeof value === 'string') return plain(value) ? value : colon.test(value) ? `"${value}"` : undefined;
  if (typeof value === 'boolean' || value === null) return String(value);
  if (Number.isSafeInteger(value) && value !== 0) return String(value);
  return undefined;
}

function plain(text: string): boolean {
  return text.length < 1000 && harmless.test(text) && !/[ -]$/.test(text) && !reserved.has(text.toLowerCase());
}

/** One entry as cdk8s prints it, within an indented block. Empty lines of a text have no indentation. */
function indented(entry: unknown, line: string): string {
  return byLibrary(entry)
    .slice(0, -1)
    .replace(/\n(?!\n|$)/g, line);
}
