import { isUtf8 } from 'node:buffer';
import { parseJson } from '../json/parse-json.ts';
import { templateLimits } from '../limits.ts';
import { Problems, TemplateError } from '../problems.ts';
import { isNumber, isTemplateArray, type TemplateValue } from '../values/value.ts';
import { type Call, type FunctionTable, fail, intAt, refuseAt, stringAt } from './function-spec.ts';
import { nodeValue } from './node-value.ts';
import { templateGuid, uniqueText } from './text/hashes.ts';
import { strictJson } from './text/lenient-json.ts';
import { fitsPattern } from './text/pattern.ts';
import { splitText } from './text/split-text.ts';
import { compositeFormat, textOf } from './text/texts.ts';

/** Base64 as .NET reads it: whole groups of four, blanks allowed; undefined for other text. */
function fromBase64(text: string): string | undefined {
  const packed = text.replaceAll(/\s/g, '');
  const isWhole = packed.length % 4 === 0 && /^[A-Za-z0-9+/]*={0,2}$/.test(packed);
  return isWhole ? Buffer.from(packed, 'base64').toString('utf8') : undefined;
}

/** Characters that encodeURIComponent leaves, and RFC 3986 reserves. */
const reserved = /[!'()*]/g;

/** Parses JSON that an expression has, a step for each character. Throws TemplateError with the mistake. */
function parsed(text: string, { run }: Call): TemplateValue {
  run.budget.step(text.length);
  const problems = new Problems();
  // A name that appears twice is a problem of a template. For this function the last one counts.
  const node = parseJson(text, new Problems()) ?? parseJson(strictJson(text), problems);
  if (node) return nodeValue(node);
  const [problem] = problems.list;
  if (problem) {
    throw new TemplateError('Evaluation', `The function 'json' fails: ${problem.message} (line ${problem.line})`);
  }
  return node ? nodeValue(node) : null;
}

/** Functions of strings. */
export const strings: FunctionTable = {
  base64: {
    arity: [1, 1],
    doc: 'Base64 of the UTF-8 bytes of a string.',
    evaluate: (args, call) => Buffer.from(stringAt(args, 0, call), 'utf8').toString('base64'),
  },
  base64ToJson: {
    arity: [1, 1],
    doc: 'The JSON value in a Base64 text.',
    evaluate: (args, call) =>
      parsed(fromBase64(stringAt(args, 0, call)) ?? fail(call, 'argument 1 is no Base64'), call),
  },
  base64ToString: {
    arity: [1, 1],
    doc: 'The string in a Base64 text.',
    evaluate: (args, call) => fromBase64(stringAt(args, 0, call)) ?? fail(call, 'argument 1 is no Base64'),
  },
  dataUri: {
    arity: [1, 1],
    doc: 'A data URI of a string.',
    evaluate: (args, call) =>
      `data:text/plain;charset=utf-8;base64,${Buffer.from(stringAt(args, 0, call), 'utf8').toString('base64')}`,
  },
  dataUriToString: {
    arity: [1, 1],
    doc: 'The string in a data URI.',
    evaluate: (args, call) => {
      const uri = stringAt(args, 0, call);
      const comma = uri.indexOf(',');
      if (!/^data:/i.test(uri) || comma === -1) fail(call, 'argument 1 is no data URI');
      const data = uri.slice(comma + 1);
      if (/;base64$/i.test(uri.slice(0, comma))) return fromBase64(data) ?? fail(call, 'argument 1 is no Base64');
      return decoded(data);
    },
  },
  endsWith: {
    arity: [2, 2],
    doc: 'Whether a string ends with another one; upper and lower case are the same.',
    evaluate: (args, call) =>
      stringAt(args, 0, call)
        .toLowerCase()
        .endsWith(stringAt(args, 1, call).toLowerCase()),
  },
  format: {
    arity: [1],
    doc: 'A string in which `{0}` and so on stand for values; numbers take .NET formats, booleans become True and False, objects JSON in single quotes.',
    evaluate: (args, call) => compositeFormat(stringAt(args, 0, call), args.slice(1), call),
  },
  guid: {
    arity: [1],
    doc: 'A GUID that depends on the arguments alone.',
    evaluate: (args) => templateGuid(args.map(textOf).join('-')),
  },
  join: {
    arity: [2, 2],
    doc: 'The items of an array as one string, with a delimiter between them.',
    evaluate: (args, call) => {
      const [items] = args;
      if (!isTemplateArray(items)) return refuseAt(args, 0, call, 'an array');
      const delimiter = stringAt(args, 1, call);
      call.run.budget.produce(items.length * delimiter.length);
      return items.map(textOf).join(delimiter);
    },
  },
  json: {
    arity: [1, 1],
    doc: "The value of a JSON text; `json('null')` leaves an optional property out.",
    evaluate: (args, call) => parsed(stringAt(args, 0, call), call),
  },
  like: {
    arity: [2, 2],
    doc: 'Whether a whole string fits a pattern, in which `*` stands for any text; upper and lower case are the same.',
    evaluate: (args, call) => {
      const [text, pattern] = [stringAt(args, 0, call).toLowerCase(), stringAt(args, 1, call).toLowerCase()];
      call.run.budget.search(text.length, pattern.length);
      return fitsPattern(text, pattern);
    },
  },
  padLeft: {
    arity: [2, 3],
    doc: 'A string or integer, filled up on the left; with spaces unless another character is given.',
    evaluate: (args, call) => {
      const [value] = args;
      if (typeof value !== 'string' && !isNumber(value)) return refuseAt(args, 0, call, 'a string or an int');
      const length = intAt(args, 1, call);
      const character = args[2] === undefined ? ' ' : stringAt(args, 2, call);
      if (character.length !== 1) fail(call, 'argument 3 must be one character');
      if (length < 0 || length > templateLimits.literalCharacters) {
        fail(call, `argument 2, the length, must be from 0 to ${templateLimits.literalCharacters}`);
      }
      call.run.budget.produce(length);
      return String(value).padStart(length, character);
    },
  },
  replace: {
    arity: [3, 3],
    doc: 'A string with each occurrence of a text replaced; case matters.',
    evaluate: (args, call) => {
      const [text, from, to] = [stringAt(args, 0, call), stringAt(args, 1, call), stringAt(args, 2, call)];
      if (from === '') fail(call, 'argument 2, the text to replace, is empty');
      call.run.budget.search(text.length, from.length);
      const parts = text.split(from);
      call.run.budget.produce(text.length + parts.length * to.length);
      return parts.join(to);
    },
  },
  split: {
    arity: [2, 2],
    doc: 'The parts of a string between a delimiter, or between the delimiters of an array.',
    evaluate: (args, call) => {
      const text = stringAt(args, 0, call);
      const list = (isTemplateArray(args[1]) ? args[1] : [args[1]]) as readonly TemplateValue[];
      const delimiters = list.map((_, index) =>
        isTemplateArray(args[1]) ? stringAt(list, index, call) : stringAt(args, 1, call),
      );
      return splitText(
        text,
        delimiters.filter((delimiter) => delimiter !== ''),
        call,
      );
    },
  },
  startsWith: {
    arity: [2, 2],
    doc: 'Whether a string begins with another one; upper and lower case are the same.',
    evaluate: (args, call) =>
      stringAt(args, 0, call)
        .toLowerCase()
        .startsWith(stringAt(args, 1, call).toLowerCase()),
  },
  string: {
    arity: [1, 1],
    doc: 'A value as text; objects and arrays as JSON.',
    evaluate: ([value = null]) => textOf(value),
  },
  substring: {
    arity: [2, 3],
    doc: 'A part of a string from a start on; the part must be inside the string.',
    evaluate: (args, call) => {
      const text = stringAt(args, 0, call);
      const start = intAt(args, 1, call);
      const length = args[2] === undefined ? text.length - start : intAt(args, 2, call);
      if (start < 0 || length < 0 || start + length > text.length) {
        fail(call, `start ${start} and length ${length} are not inside a string of ${text.length} characters`);
      }
      return text.slice(start, start + length);
    },
  },
  toLower: {
    arity: [1, 1],
    doc: 'A string in lower case.',
    evaluate: (args, call) => simpleCase(stringAt(args, 0, call), (each) => each.toLowerCase()),
  },
  toUpper: {
    arity: [1, 1],
    doc: 'A string in upper case.',
    evaluate: (args, call) =>
      simpleCase(stringAt(args, 0, call), (each) => (each === '\u0131' ? each : each.toUpperCase())),
  },
  trim: {
    arity: [1, 1],
    doc: 'A string without blanks at its ends.',
    evaluate: (args, call) => stringAt(args, 0, call).trim(),
  },
  uniqueString: {
    arity: [1],
    doc: 'Thirteen letters and digits that depend on the arguments alone; case matters.',
    evaluate: (args, call) => uniqueText(args.map((_, index) => stringAt(args, index, call)).join('-')),
  },
  uri: {
    arity: [2, 2],
    doc: 'A relative URI resolved against a base; the last segment of a base without a slash at its end is dropped.',
    evaluate: (args, call) => {
      const [base, relative] = [stringAt(args, 0, call), stringAt(args, 1, call)];
      const resolved = URL.canParse(relative, base)
        ? new URL(relative, base)
        : fail(call, 'argument 1, the base, is no absolute URI');
      return resolved.href;
    },
  },
  uriComponent: {
    arity: [1, 1],
    doc: 'A string with % escapes for all characters but letters, digits and `-._~`.',
    evaluate: (args, call) =>
      encodeURIComponent(stringAt(args, 0, call).toWellFormed()).replaceAll(
        reserved,
        (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
      ),
  },
  uriComponentToString: {
    arity: [1, 1],
    doc: 'A string without its % escapes; an escape that is not UTF-8 stays.',
    evaluate: (args, call) => decoded(stringAt(args, 0, call)),
  },
};

/** The case of each character by itself, as .NET's invariant culture has it: `ß` stays. */
function simpleCase(text: string, change: (text: string) => string): string {
  const changed = change(text);
  if (/^[\0-\x7f]*$/.test(text)) return changed;
  return Array.from(text, (each) => (change(each).length === each.length ? change(each) : each)).join('');
}

/** Without % escapes. As in .NET, a run of escapes that is no UTF-8 stays as it is. */
function decoded(text: string): string {
  return text.replace(/(?:%[0-9A-Fa-f]{2})+/g, (run) => {
    const bytes = Buffer.from(run.replaceAll('%', ''), 'hex');
    return isUtf8(bytes) ? bytes.toString('utf8') : run;
  });
}
