import { isObject } from '../../../../runtime/base/json.ts';
import { copy, equal, get, set } from '../../../json.ts';
import { type Json, type JsonObject, PatchError, type Unstructured } from '../../model/types.ts';
import { FieldSet, pathText, type Step } from './field-set.ts';
import { type FieldType, itemStep, type Shape, shapeOf } from './field-type.ts';

/**
 * The walks over typed objects that server-side apply is made of. Absent is `undefined`; null is a value. Semantics
 * follow structured-merge-diff v4 (the library of the API server), list order that of v4.1 and later.
 */
export interface Comparison {
  readonly added: FieldSet;
  readonly modified: FieldSet;
  readonly removed: FieldSet;
}

type Value = Json | undefined;
type ListShape = Shape & { is: 'list' };

/** The fields that were added, modified and removed between two objects. */
export function compare(before: Unstructured, after: Unstructured, type: FieldType): Comparison {
  const out = { added: new FieldSet(), modified: new FieldSet(), removed: new FieldSet() };
  const record = (l: Value, r: Value, path: readonly Step[]) => {
    if (l === undefined) out.added.insert(path);
    else if (r === undefined) out.removed.insert(path);
  };
  const walk = (l: Value, r: Value, place: FieldType, path: readonly Step[]): void => {
    const shape = shapeOf(place, r, l);
    if (isLeaf(shape, l, r)) {
      if (l !== undefined && r !== undefined && !equal(l, r)) out.modified.insert(path);
      else record(l, r, path);
      return;
    }
    if (shape.is === 'map') {
      for (const name of memberNames(l, r))
        walk(memberOf(l, name), memberOf(r, name), shape.member(name), [...path, `f:${name}`]);
    } else if (shape.is === 'list') {
      const [left, right] = [itemsOf(shape, l, path), itemsOf(shape, r, path)];
      for (const step of new Set([...left.keys(), ...right.keys()])) {
        walk(left.get(step), right.get(step), shape.items, [...path, step]);
      }
    }
    record(l, r, path);
  };
  walk(before as Json, after as Json, type, []);
  return out;
}

/** `applied` laid over `live`. Throws PatchError for an applied list with duplicate or missing keys. */
export function merge(live: Unstructured, applied: Unstructured, type: FieldType): Unstructured {
  const walk = (l: Value, r: Value, place: FieldType, path: readonly Step[]): Value => {
    const shape = shapeOf(place, r, l);
    if (isLeaf(shape, l, r)) return copy(r === undefined ? l : r);
    if (shape.is === 'map') {
      const out: JsonObject = {};
      for (const name of memberNames(l, r)) {
        const value = walk(memberOf(l, name), memberOf(r, name), shape.member(name), [...path, `f:${name}`]);
        if (value !== undefined) set(out, name, value);
      }
      return out;
    }
    return mergeLists(shape as ListShape, l, r, path, walk);
  };
  return walk(live as Json, applied as Json, type, []) as Unstructured;
}

function mergeLists(
  shape: ListShape,
  l: Value,
  r: Value,
  path: readonly Step[],
  walk: (l: Value, r: Value, place: FieldType, path: readonly Step[]) => Value,
): Json[] {
  const left = itemsOf(shape, l, path);
  const right = itemsOf(shape, r, path, true);
  const out: Json[] = [];
  const take = (step: Step) => {
    const value = walk(left.get(step), right.get(step), shape.items, [...path, step]);
    if (value !== undefined) out.push(value);
  };
  // Shared items come in the applied order; live-only items keep their place, before applied items that are new there.
  const live = [...left.keys()];
  const applied = [...right.keys()];
  const shared = applied.filter((step) => left.has(step));
  for (let i = 0, j = 0; i < live.length || j < applied.length; ) {
    const [mine, theirs] = [live[i], applied[j]];
    if (mine !== undefined && !right.has(mine)) {
      take(mine);
      i += 1;
    } else if (mine !== undefined && (theirs === undefined || (mine !== theirs && mine !== shared[0]))) {
      i += 1;
    } else if (theirs !== undefined) {
      take(theirs);
      j += 1;
      if (mine === theirs) i += 1;
      if (theirs === shared[0]) shared.shift();
    }
  }
  return out;
}

/** The fields an applied configuration names. */
export function fieldsOf(value: Unstructured, type: FieldType): FieldSet {
  const out = new FieldSet();
  const walk = (value: Value, place: FieldType, path: readonly Step[]): void => {
    const shape = shapeOf(place, value);
    if (shape.is === 'scalar' || shape.atomic) {
      out.insert(path);
      return;
    }
    if (shape.is === 'list') {
      for (const [step, item] of itemsOf(shape, value, path)) {
        walk(item, shape.items, [...path, step]);
        out.insert([...path, step]);
      }
      return;
    }
    for (const name of memberNames(value, undefined)) {
      const inner = memberOf(value, name);
      const step = [...path, `f:${name}`];
      walk(inner, shape.member(name), step);
      if (inner === null || (isObject(inner) && Object.keys(inner).length === 0) || !shape.declared(name))
        out.insert(step);
    }
  };
  walk(value as Json, type, []);
  return out;
}

/** `value` without the fields of `gone`. A container that loses everything becomes null, which defaulting drops. */
export function withoutFields(value: Unstructured, gone: FieldSet, type: FieldType): Unstructured {
  const walk = (value: Json, gone: FieldSet, place: FieldType, path: readonly Step[]): Json => {
    const shape = shapeOf(place, value);
    if (shape.is === 'scalar' || shape.atomic || gone.empty) return value;
    if (shape.is === 'list') {
      if (!Array.isArray(value) || value.length === 0) return value;
      const kept: Json[] = [];
      for (const [index, item] of value.entries()) {
        const step = itemStep(shape, item, pathText(path), index);
        if (gone.members.has(step)) continue;
        kept.push(walk(item, gone.child(step), shape.items, [...path, step]));
      }
      return kept.length > 0 ? kept : null;
    }
    if (!isObject(value) || Object.keys(value).length === 0) return value;
    const kept: JsonObject = {};
    for (const name of Object.keys(value)) {
      const step = `f:${name}`;
      const member = get(value, name);
      if (member === undefined || gone.members.has(step)) continue;
      set(kept, name, walk(member, gone.child(step), shape.member(name), [...path, step]));
    }
    return Object.keys(kept).length > 0 ? kept : null;
  };
  return (walk(copy(value) as Json, gone, type, []) ?? {}) as Unstructured;
}

/** The set with every declared member that has children as a member of its own, so that removing it removes the struct. */
export function withStructs(fields: FieldSet, type: FieldType): FieldSet {
  const out = new FieldSet();
  for (const step of fields.members) out.members.add(step);
  for (const [step, child] of fields.children) {
    const shape = shapeOf(type, step.startsWith('f:') ? {} : []);
    const name = step.slice(2);
    if (shape.is === 'map' && shape.declared(name)) out.members.add(step);
    const inner: FieldType =
      shape.is === 'map' ? shape.member(name) : shape.is === 'list' ? shape.items : { of: 'untyped' };
    out.children.set(step, withStructs(child, inner));
  }
  return out;
}

function isLeaf(shape: Shape, l: Value, r: Value): boolean {
  if (shape.is === 'scalar' || shape.atomic) return true;
  // Two empty containers differ from null as values; one empty container has no children.
  const vacant = (value: Value) => value === undefined || value === null || Object.keys(value).length === 0;
  return (vacant(l) && vacant(r)) || !fits(shape, l) || !fits(shape, r);
}

function fits(shape: Shape, value: Value): boolean {
  if (value === undefined || value === null) return true;
  return shape.is === 'list' ? Array.isArray(value) : isObject(value);
}

function memberNames(l: Value, r: Value): Set<string> {
  const present = (value: Value) =>
    isObject(value) ? Object.keys(value).filter((name) => value[name] !== undefined) : [];
  return new Set([...present(l), ...present(r)]);
}

function memberOf(value: Value, name: string): Value {
  return isObject(value) ? get(value, name) : undefined;
}

/** Items by path element, in order; of duplicates the first counts, or they are refused. */
function itemsOf(shape: ListShape, value: Value, path: readonly Step[], strict = false): Map<Step, Json> {
  const out = new Map<Step, Json>();
  if (!Array.isArray(value)) return out;
  for (const [index, item] of value.entries()) {
    const step = itemStep(shape, item, pathText(path), index);
    if (!out.has(step)) out.set(step, item);
    else if (strict)
      throw new PatchError('malformed', `${pathText(path)}: duplicate entries for key ${pathText([step])}`);
  }
  return out;
}
