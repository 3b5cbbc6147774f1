/**
 * Functions of Node 24 that the sources use and Node 20 or 22 lacks, for the built package. esbuild puts these in the
 * place of the globals (`inject`), so that nothing outside of the package changes.
 */
import { types } from 'node:util';

const isError =
  Error.isError ?? ((value: unknown): value is Error => types.isNativeError(value) || value instanceof Error);

const withResolvers: typeof Promise.withResolvers = <T>() => {
  let resolve: (value: T | PromiseLike<T>) => void = () => undefined;
  let reject: (reason?: unknown) => void = () => undefined;
  const promise = new Promise<T>((onResolve, onReject) => {
    resolve = onResolve;
    reject = onReject;
  });
  return { promise, resolve, reject };
};

const groupBy = <Key, Item>(items: Iterable<Item>, keyOf: (item: Item, index: number) => Key): Map<Key, Item[]> => {
  const groups = new Map<Key, Item[]>();
  let index = 0;
  for (const item of items) {
    const key = keyOf(item, index++);
    const group = groups.get(key);
    if (group) group.push(item);
    else groups.set(key, [item]);
  }
  return groups;
};

/** The part of AsyncDisposableStack that the sources use: `defer`, and the end of `await using`, last deferred first. */
class DeferredStack {
  readonly #deferred: (() => unknown)[] = [];

  defer(end: () => unknown): void {
    this.#deferred.push(end);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const errors: unknown[] = [];
    for (let end = this.#deferred.pop(); end; end = this.#deferred.pop()) {
      try {
        await end();
      } catch (error) {
        errors.push(error);
      }
    }
    if (errors.length > 1) throw new AggregateError(errors, 'Several parts did not end');
    if (errors.length === 1) throw errors[0];
  }
}

// From globalThis: the bare name would be the export below.
const asyncDisposableStack = (globalThis as { AsyncDisposableStack?: unknown }).AsyncDisposableStack ?? DeferredStack;

export {
  asyncDisposableStack as AsyncDisposableStack,
  groupBy as 'Map.groupBy',
  isError as 'Error.isError',
  withResolvers as 'Promise.withResolvers',
};
