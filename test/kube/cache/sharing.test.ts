import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { share } from '../../../runtime/kube/cache/sharing.ts';

test('equal parts become the same, others stay what they were', () => {
  const template = { spec: { a: [1, { deep: 'x' }], b: { c: null } }, status: { phase: 'Running' } };
  const fresh = { spec: { a: [1, { deep: 'x' }], b: { c: null } }, status: { phase: 'Pending' } };
  const shared = share(template, fresh);
  expect(shared).toBe(fresh);
  expect(shared.spec).toBe(template.spec);
  expect(shared.status).not.toBe(template.status);
  expect(shared).toEqual({ spec: { a: [1, { deep: 'x' }], b: { c: null } }, status: { phase: 'Pending' } });
  expect(share(template, structuredClone(template))).toBe(template);
});

test.each([
  [{ a: 1 }, { a: 1, b: 2 }],
  [{ a: 1, b: 2 }, { a: 1 }],
  [{ a: undefined }, {}],
  [{}, { a: undefined }],
  [{ b: 1 }, { a: undefined }],
  [[1, 2], [1]],
  [[], {}],
  [{ 0: 1 }, [1]],
  [null, {}],
  ['a', { a: 1 }],
])('%p and %p are not taken for equal', (template, fresh) => {
  const wanted = structuredClone(fresh);
  const shared = share<unknown>(template, fresh);
  expect(shared).toStrictEqual(wanted);
  expect(shared).not.toBe(template);
});

test('sharing changes neither a value nor its template', () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 4 }), fc.jsonValue({ maxDepth: 4 }), (a, b) => {
      for (const [first, second] of [
        [a, b],
        [
          { a, b },
          { a: b, b },
        ],
        [
          [a, b],
          [a, a],
        ],
      ]) {
        const [template, fresh] = [JSON.stringify(first), JSON.stringify(second)];
        const [from, into] = [JSON.parse(template), JSON.parse(fresh)];
        expect(JSON.stringify(share(from, into))).toBe(fresh);
        expect(JSON.stringify(from)).toBe(template);
      }
    }),
    { numRuns: 500 },
  );
});

test('objects as deep as an API server takes them are shared in their first levels alone', () => {
  for (const [open, close] of [
    ['{"a":', '}'],
    ['[', ']'],
  ]) {
    const deep = (): { spec: unknown } => {
      const levels = 9990;
      return { spec: JSON.parse(`${open?.repeat(levels)}{}${close?.repeat(levels)}`) };
    };
    const fresh = deep();
    expect(share(deep(), fresh)).toBe(fresh);
  }
});
