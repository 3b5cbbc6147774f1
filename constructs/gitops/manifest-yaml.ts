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
 * YAML documents with the text that `Yaml.stringify` of cdk8s gives them, in a fifth of the time: maps, lists and plain
 * words are printed here, and cdk8s prints every other text, once.
 */
export function printYaml(...documents: readonly unknown[]): string {
  const printed: Printed = new Map();
  return documents.map((document) => printDocument(document, printed)).join('---\n');
}

/** Entries as cdk8s prints them, by their JSON: definitions have few, thousands of times. */
type Printed = Map<string, string>;

function printDocument(document: unknown, printed: Printed): string {
  if (!isBranch(document)) return byLibrary(document);
  const parts: string[] = [];
  addBranch(parts, document, { before: '', line: '\n', printed });
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
  readonly printed: Printed;
}

/** Adds the lines of a map or list, in parts that are joined once. */
function addBranch(parts: string[], branch: Branch, { before, line, printed }: Place): void {
  const inner = `${line}  `;
  let start = before;
  const add = (head: string | undefined, value: unknown, gap: string, entry: () => unknown) => {
    if (head !== undefined && isBranch(value))
      addBranch(parts, value, { before: `${start}${head}${gap}`, line: inner, printed });
    else {
      const text = head === undefined || isBranch(value) ? undefined : scalar(value);
      parts.push(start, text === undefined ? indented(entry(), line, printed) : `${head} ${text}`);
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
function indented(entry: unknown, line: string, printed: Printed): string {
  const [value] = Object.values(entry as object);
  // Of other values JSON does not show all: undefined, -0, infinity.
  const key = typeof value === 'string' ? JSON.stringify(entry) : undefined;
  const known = key === undefined ? undefined : printed.get(key);
  const text = known ?? byLibrary(entry).slice(0, -1);
  if (key !== undefined && known === undefined) printed.set(key, text);
  return text.replace(/\n(?!\n|$)/g, line);
}
