import { Composer, type CST, type Document, isMap, Lexer, Parser } from 'yaml';
import { messageOf } from '../../base/errors.ts';
import { yamlTexts } from '../../base/text/yaml.ts';

/** Most tokens in one parameter: 500 objects with all their members and comments have 38,000. */
const mostParts = 40_000;
/** Most tokens in one text: a list of 500 objects has 3,000. Reading it takes 20 ms, in which all other volumes wait. */
const mostPartsOfText = 5000;
/** Deepest nesting on the parser's stack; a list of texts in a mapping has five levels. */
const deepest = 12;
/** Most members of one mapping. */
const mostMembers = 50;

const options = { ...yamlTexts, logLevel: 'silent', prettyErrors: false, uniqueKeys: false } as const;

/** Texts of one parameter to read, after texts with so many tokens. */
export interface YamlJob {
  readonly texts: readonly string[];
  readonly parts: number;
}

/** The values of the first texts, and the tokens so far; `problem` is the reason why the next text cannot be read. */
export interface YamlAnswer {
  readonly values: readonly unknown[];
  readonly parts: number;
  readonly problem?: string;
}

/** Reads texts; rejects where they cannot be read at all. */
export type ReadYaml = (job: YamlJob) => Promise<YamlAnswer>;

/** Reads the texts of a job in this thread. */
export function readYaml({ texts, parts }: YamlJob): YamlAnswer {
  const reader = new BoundedYaml(parts);
  const values: unknown[] = [];
  try {
    for (const text of texts) values.push(reader.read(text));
  } catch (error) {
    return { values, parts: reader.parts, problem: messageOf(error) };
  }
  return { values, parts: reader.parts };
}

/**
 * Reads YAML that a tenant wrote, all values as texts or null. The parser's time grows with tokens, errors and steeply with
 * nesting, so one reader counts the tokens of all texts of one parameter and stops within a text.
 */
class BoundedYaml {
  /** Tokens so far. */
  parts: number;

  constructor(parts: number) {
    this.parts = parts;
  }

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
    let anchorCount = 0;
    for (const part of new Lexer().lex(text)) {
      // Each escape of a quoted text can be a separate error.
      const parts = part.startsWith('"') ? part.split('\\').length : 1;
      this.parts += parts;
      // Empty lines cost little, and their number is limited.
      if (part !== '\n') anchorCount += parts;
      if (anchorCount > mostPartsOfText) throw new Error(`it has more than ${mostPartsOfText} parts`);
      if (this.parts > mostParts) throw new Error(`it and the texts before it have more than ${mostParts} parts`);
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
