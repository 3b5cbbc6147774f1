import type { Environment } from '@marcbachmann/cel-js';
import { isObject } from '../../base/json.ts';

/** Parts of the library that its types leave out; its own `cel.bind` uses them in the same way. */
interface Node {
  readonly op: string;
  readonly args: unknown;
}
interface Context {
  forkWithVariable(name: string, type: unknown): Context;
  reuse(parent: Context): Context;
  setIterValue(value: unknown, evaluator: Evaluator): Context;
}
interface Evaluator {
  run(node: Node, context: Context): unknown;
}
interface Checker {
  check(node: Node, context: Context): { readonly kind: string };
  getType(name: string): unknown;
  createError(code: string, message: string, node: Node): Error;
}
interface Call {
  readonly args: readonly Node[];
  readonly receiver: Node;
}

/** A pass over the items: `each` takes the value of the last argument, and gives false to end it. */
interface Pass {
  each(value: unknown, key: unknown): boolean;
  result(): unknown;
}
/** An item whose expression fails: `all` and `exists` are decided by another item, if one decides them. */
interface Comprehension {
  readonly type: 'bool' | 'dyn';
  readonly absorbsErrors?: boolean;
  start(): Pass;
}

/** `all` is decided by an item that is false, `exists` by one that is true. */
const quantifier = (decisive: boolean): Comprehension => ({
  type: 'bool',
  absorbsErrors: true,
  start() {
    let isDecided = false;
    return {
      each(value) {
        isDecided = asBool(value) === decisive;
        return !isDecided;
      },
      result: () => isDecided === decisive,
    };
  },
});

const existsOne: Comprehension = {
  type: 'bool',
  start() {
    let count = 0;
    return {
      each(value) {
        if (asBool(value)) count += 1;
        return true;
      },
      result: () => count === 1,
    };
  },
};

const transformList: Comprehension = {
  type: 'dyn',
  start() {
    const list: unknown[] = [];
    return {
      each(value) {
        list.push(value);
        return true;
      },
      result: () => list,
    };
  },
};

/** A map of the entries that each value of the last argument makes. Throws RangeError for a key twice. */
const mapOf = (entries: (value: unknown, key: unknown) => Iterable<readonly [unknown, unknown]>): Comprehension => ({
  type: 'dyn',
  start() {
    const map = new Map<unknown, unknown>();
    return {
      each(value, key) {
        for (const [name, each] of entries(value, key)) {
          if (map.has(name)) throw new RangeError('a key twice');
          map.set(name, each);
        }
        return true;
      },
      result: () => map,
    };
  },
});
const transformMap = mapOf((value, key) => [[key, value]]);
const transformMapEntry = mapOf(entriesOf);

/**
 * Comprehensions with two variables, key and value of a map or position and item of a list: `m.all(k, v, p)`,
 * `m.transformMap(k, v, filter, value)` and so on. ASO v2's expressions have them.
 * Source: github.com/google/cel-go, ext/comprehensions.go.
 */
export function addTwoVariableComprehensions(environment: Environment): Environment {
  const all = quantifier(false);
  const exists = quantifier(true);
  for (const [name, comprehension] of Object.entries({ all, exists, existsOne, exists_one: existsOne })) {
    add(environment, name, comprehension, 3);
  }
  for (const [name, comprehension] of Object.entries({ transformList, transformMap, transformMapEntry })) {
    add(environment, name, comprehension, 3);
    add(environment, name, comprehension, 4);
  }
  return environment;
}

function add(environment: Environment, name: string, comprehension: Comprehension, count: 3 | 4): void {
  const { type, absorbsErrors = false, start } = comprehension;
  const places = Array.from({ length: count }, () => 'ast').join(', ');
  environment.registerFunction(`dyn.${name}(${places}): ${type}`, (({ args, receiver }: Call) => {
    const [key, value] = args as [Node, Node];
    const filter = count === 4 ? args[2] : undefined;
    const body = args[count - 1] as Node;
    let outer: Context;
    let inner: Context;
    return {
      typeCheck(checker: Checker, _: unknown, context: Context) {
        const { kind } = checker.check(receiver, context);
        if (!['list', 'map', 'dyn'].includes(kind)) {
          throw checker.createError('invalid_comprehension_range', `${name} needs a list or a map`, receiver);
        }
        const nameOf = ({ op, args: id }: Node, node: Node) => {
          if (op === 'id') return String(id);
          throw checker.createError('invalid_macro_argument', `${name} begins with two variables`, node);
        };
        const dyn = checker.getType('dyn');
        outer = context.forkWithVariable(nameOf(key, key), dyn);
        inner = outer.forkWithVariable(nameOf(value, value), dyn);
        for (const node of filter ? [filter, body] : [body]) checker.check(node, inner);
        return checker.getType(type);
      },
      evaluate(evaluator: Evaluator, _: unknown, context: Context) {
        const pass = start();
        let failure: { readonly error: unknown } | undefined;
        for (const [itsKey, itsValue] of entriesOf(evaluator.run(receiver, context))) {
          const at = inner
            .reuse(outer.reuse(context).setIterValue(itsKey, evaluator))
            .setIterValue(itsValue, evaluator);
          try {
            if (filter && !asBool(evaluator.run(filter, at))) continue;
            if (!pass.each(evaluator.run(body, at), itsKey)) return pass.result();
          } catch (error) {
            if (!absorbsErrors) throw error;
            failure ??= { error };
          }
        }
        if (failure) throw failure.error;
        return pass.result();
      },
    };
  }) as never);
}

function asBool(value: unknown): boolean {
  if (typeof value === 'boolean') return value;
  throw new TypeError('no bool');
}

function entriesOf(value: unknown): Iterable<readonly [unknown, unknown]> {
  if (Array.isArray(value)) return value.map((item, index) => [BigInt(index), item] as const);
  if (value instanceof Map) return value;
  if (isObject(value)) return Object.entries(value);
  throw new TypeError('no list or map');
}
