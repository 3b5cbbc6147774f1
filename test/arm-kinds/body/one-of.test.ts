import { expect, test } from '@jest/globals';
import { armKinds } from '../../../runtime/api/kinds.ts';
import type { FieldTree } from '../../../runtime/api/types.ts';
import { fieldsFor } from '../../../runtime/arm-kinds/body/one-of.ts';
import { setPath } from '../../../runtime/arm-kinds/values/json-object.ts';
import type { JsonObject } from '../../../runtime/base/json.ts';

/** The one-ofs of a tree, with their paths. */
function oneOfsIn(tree: FieldTree, path: string): [string, FieldTree][] {
  const { oneOf, items, values, properties = {} } = tree;
  const inner = Object.entries({ ...properties, ...(items && { '[]': items }), ...(values && { '{}': values }) });
  return [
    ...(oneOf ? [[path, tree] as [string, FieldTree]] : []),
    ...inner.flatMap(([name, each]) => oneOfsIn(each, `${path}.${name}`)),
  ];
}

/** The words that ARM has in a value of this member alone. */
function wordsOf({ properties = {} }: FieldTree): JsonObject {
  const words: JsonObject = {};
  for (const [name, { enum: allowed, arm }] of Object.entries(properties)) {
    if (allowed?.length === 1) setPath(words, arm ?? name, allowed[0]);
  }
  return words;
}

const oneOfs = armKinds.flatMap(({ kind, arm }) => oneOfsIn(arm.fields, kind));

test('each member of each one-of is known by its words in ARM, and an object without them is no member', () => {
  expect(oneOfs.length).toBeGreaterThan(35);
  for (const [path, tree] of oneOfs) {
    const members = Object.entries(tree.properties ?? {});
    const found = members.map(([, member]) => fieldsFor(tree, wordsOf(member)).map(([name]) => name));
    expect([path, found]).toEqual([path, members.map(([name]) => [name])]);
    expect([path, fieldsFor(tree, {})]).toEqual([path, []]);
  }
});

test('each member of a one-of lies in the object itself, so that a status can have it under its name', () => {
  const others = oneOfs.filter(([, { properties = {} }]) => Object.values(properties).some(({ arm }) => arm !== ''));
  expect(others.map(([path]) => path)).toEqual([]);
});
