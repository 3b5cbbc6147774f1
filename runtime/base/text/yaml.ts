import { type Document, isNode, LineCounter, parseAllDocuments, type SchemaOptions } from 'yaml';

/** A document of a text in YAML, and where it stands. */
export interface YamlDocument {
  /** Null for an empty document. */
  readonly value: unknown;
  /** Line of the value at a path, of the document without one; the first is 1. Undefined where nothing stands there. */
  lineOf(path?: readonly (string | number)[]): number | undefined;
}

/**
 * Reads every value as the text that it is, as Go's YAML does for fields that hold texts: `1e3`, `0755` and `yes` stay.
 * Only `null`, `~` and nothing without quotes are null.
 */
export const yamlTexts: SchemaOptions = { schema: 'failsafe', customTags: ['null'] };

/**
 * The documents of a text in YAML, which includes JSON. Throws an Error with line and reason, which quotes nothing of the
 * text: it may have secrets.
 */
export function parseYaml(text: string): YamlDocument[] {
  const lineCounter = new LineCounter();
  // Pretty errors and warnings quote the text.
  const options = { prettyErrors: false, logLevel: 'error', lineCounter } as const;
  const documents: readonly Document.Parsed[] = parseAllDocuments(text, options);
  return documents.map((document) => ({
    value: contentOf(document, lineCounter),
    lineOf(path = []) {
      const node: unknown = path.length > 0 ? document.getIn(path, true) : document.contents;
      return isNode(node) && node.range ? lineCounter.linePos(node.range[0]).line : undefined;
    },
  }));
}

/** The values of all documents. Throws as `parseYaml` does. */
export function yamlDocuments(text: string): unknown[] {
  return parseYaml(text).map(({ value }) => value);
}

function contentOf(document: Document.Parsed, lines: LineCounter): unknown {
  const [problem] = document.errors;
  if (problem) throw new Error(`line ${lines.linePos(problem.pos[0]).line} is not YAML (${problem.code})`);
  try {
    return document.toJS();
  } catch {
    throw new Error('an alias in it has no anchor, or it has too many aliases');
  }
}
