import { type Document, parseAllDocuments } from 'yaml';

/**
 * The values of all documents of a text in YAML, which includes JSON; an empty document is null. Throws an Error with line
 * and reason, which quotes nothing of the text: it may have secrets.
 */
export function yamlDocuments(text: string): unknown[] {
  // Pretty errors and warnings quote the text.
  const documents: readonly Document.Parsed[] = parseAllDocuments(text, { prettyErrors: false, logLevel: 'error' });
  return documents.map((document) => {
    const [problem] = document.errors;
    if (problem) {
      const line = text.slice(0, problem.pos[0]).split('\n').length;
      throw new Error(`line ${line} is not YAML (${problem.code})`);
    }
    try {
      return document.toJS();
    } catch {
      throw new Error('an alias in it has no anchor, or it has too many aliases');
    }
  });
}
