/** The part of JSONPath that printer columns use: members, quoted members, indexes, wildcards and equality filters. */
type Step =
  | { readonly member: string }
  | { readonly index: number }
  | { readonly all: true }
  | { readonly filter: readonly Step[]; readonly operator: '==' | '!=' | undefined; readonly value: string };

const parsed = new Map<string, Step[]>();

/** Beginnings of a path, each with its step. */
const grammar: readonly (readonly [RegExp, (match: RegExpExecArray) => Step])[] = [
  [/^(?:\.\*|\[\*\])/, () => ({ all: true })],
  [/^\.((?:\\.|[^.[\]\\])+)/, ([, name = '']) => ({ member: name.replaceAll(/\\(.)/g, '$1') })],
  [/^\[(-?\d+)\]/, ([, index]) => ({ index: Number(index) })],
  [/^\[(['"])(.*?)\1\]/, ([, , name = '']) => ({ member: name })],
  [
    /^\[\?\(\s*@([^=!)\s]*)\s*(?:(==|!=)\s*(['"]?)(.*?)\3)?\s*\)\]/,
    ([, path = '', operator, , value = '']) => ({
      filter: parse(path),
      operator: operator as '==' | '!=' | undefined,
      value,
    }),
  ],
];

/** A path that cannot be parsed finds nothing. */
function parse(path: string): Step[] {
  const steps: Step[] = [];
  let rest = path.replace(/^\{|\}$/g, '').replace(/^[$@]/, '');
  while (rest !== '') {
    const found = grammar.map(([pattern, make]) => ({ match: pattern.exec(rest), make })).find(({ match }) => match);
    if (!found?.match) return [{ filter: [{ member: '' }], operator: undefined, value: '' }];
    steps.push(found.make(found.match));
    rest = rest.slice(found.match[0].length);
  }
  return steps;
}

const step = (one: Step, value: unknown): unknown[] => {
  if (value === null || typeof value !== 'object') return [];
  if ('member' in one) return Object.hasOwn(value, one.member) ? [(value as Record<string, unknown>)[one.member]] : [];
  if ('index' in one) return Array.isArray(value) ? [value.at(one.index)] : [];
  const children = Object.values(value);
  if ('all' in one) return children;
  return children.filter((child) => {
    const found = walk(one.filter, child)[0];
    if (!one.operator) return found !== undefined;
    return (String(found) === one.value) === (one.operator === '==');
  });
};

const walk = (steps: readonly Step[], root: unknown) =>
  steps.reduce<unknown[]>((values, one) => values.flatMap((value) => step(one, value)), [root]);

/** All values a path finds; none for a path that is malformed or leads nowhere. */
export function evaluateJsonPath(path: string, root: unknown): unknown[] {
  let steps = parsed.get(path);
  if (!steps) {
    steps = parse(path);
    parsed.set(path, steps);
  }
  return walk(steps, root).filter((value) => value !== undefined && value !== null);
}
