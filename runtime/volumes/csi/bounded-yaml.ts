import { Composer, type CST, type Document, isMap, Lexer, Parser } from 'yaml';

/** Most tokens in one parameter: 500 objects with all their members and comments have 38,000. */
const mostParts = 40_000;
/** Deepest nesting on the parser's stack; a list of texts in a mapping has five levels. */
const deepest = 12;
/** Most members of one mapping. */
const mostMembers = 50;

/** Go's YAML reads all values into text fields; the schema without numbers and booleans does the same. */
const options = { schema: 'failsafe', logLevel: 'silent', prettyErrors: false, uniqueKeys: false } as const;

/**
 * Reads YAML that a tenant wrote, all values as texts. The parser's time grows with tokens, errors and steeply with
 * nesting, so one reader counts the tokens of all texts of one parameter and stops within a text.
 */
export class BoundedYaml {
  #parts = 0;

  /** The value of the first document. Throws an Error with the reason. */
  read(text: string): unknown {
    let first: Document.Parsed | undefined;
    for (const document of new Composer(options).compose(this.#tokens(text), true, text.length)) first ??= document;
    const [error] = first?.errors ?? [];
    if (error) throw error;
    checkMembers(first?.contents);
    return first?.toJS();
  }

  *#tokens(text: string): Generator<CST.Token, void> {
    const parser = new Parser();
    for (const part of new Lexer().lex(text)) {
      // Each escape of a quoted text can be a separate error.
      this.#parts += part.startsWith('"') ? part.split('\\').length : 1;
      if (this.#parts > mostParts) throw new Error(`it has more than ${mostParts} parts`);
      for (const token of parser.next(part)) {
        if (token.type === 'error') throw new Error(token.message);
        yield token;
      }
      if (parser.stack.length > deepest) throw new Error('its lists and mappings are nested too deeply');
    }
    yield* parser.end();
  }
}

/** Throws for too many members, and for a duplicate member. */
function checkMembers(node: unknown): void {
  if (!isMap(node)) return;
  if (node.items.length > mostMembers) throw new Error(`it has more than ${mostMembers} members`);
  const names = node.items.map(({ key }) => String(key));
  const twice = names.find((name, index) => names.indexOf(name) < index);
  if (twice !== undefined) throw new Error(`it has the member ${twice.slice(0, 80)} twice`);
}
