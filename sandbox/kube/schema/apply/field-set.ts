import { isObject } from '../../../../runtime/base/json.ts';
import type { JsonObject } from '../../model/types.ts';

/**
 * One step of a path in the notation of FieldsV1: `f:<member>`, `k:<json of the list keys>`, `v:<json of a set item>`,
 * `i:<index>`.
 */
export type Step = string;

/**
 * A set of field paths as a tree: `members` are steps that belong to the set, `children` lead to deeper ones. A step can
 * be both (`.` in FieldsV1). Operations return new sets; only `insert` changes one.
 */
export class FieldSet {
  readonly members = new Set<Step>();
  readonly children = new Map<Step, FieldSet>();

  /** The empty path is not a field: inserting it does nothing. */
  insert(path: readonly Step[]): void {
    const [first, ...rest] = path;
    if (first === undefined) return;
    if (rest.length === 0) {
      this.members.add(first);
      return;
    }
    let child = this.children.get(first);
    if (!child) {
      child = new FieldSet();
      this.children.set(first, child);
    }
    child.insert(rest);
  }

  get empty(): boolean {
    return this.members.size === 0 && [...this.children.values()].every((child) => child.empty);
  }

  child(step: Step): FieldSet {
    return this.children.get(step) ?? new FieldSet();
  }

  union(other: FieldSet): FieldSet {
    const out = new FieldSet();
    for (const step of [...this.members, ...other.members]) out.members.add(step);
    for (const step of [...this.children.keys(), ...other.children.keys()]) {
      if (!out.children.has(step)) out.#adopt(step, this.child(step).union(other.child(step)));
    }
    return out;
  }

  intersection(other: FieldSet): FieldSet {
    const out = new FieldSet();
    for (const step of this.members) if (other.members.has(step)) out.members.add(step);
    for (const [step, child] of this.children) out.#adopt(step, child.intersection(other.child(step)));
    return out;
  }

  /** Paths that `other` does not hold. */
  difference(other: FieldSet): FieldSet {
    const out = new FieldSet();
    for (const step of this.members) if (!other.members.has(step)) out.members.add(step);
    for (const [step, child] of this.children) out.#adopt(step, child.difference(other.child(step)));
    return out;
  }

  /** Like `difference`, and everything beneath a member of `other` goes too. */
  recursiveDifference(other: FieldSet): FieldSet {
    const out = new FieldSet();
    for (const step of this.members) if (!other.members.has(step)) out.members.add(step);
    for (const [step, child] of this.children) {
      if (!other.members.has(step)) out.#adopt(step, child.recursiveDifference(other.child(step)));
    }
    return out;
  }

  equals(other: FieldSet): boolean {
    return this.difference(other).empty && other.difference(this).empty;
  }

  /** Every path of the set, in the order of the tree. */
  *paths(prefix: readonly Step[] = []): Generator<readonly Step[]> {
    for (const step of this.members) yield [...prefix, step];
    for (const [step, child] of this.children) yield* child.paths([...prefix, step]);
  }

  #adopt(step: Step, child: FieldSet): void {
    if (!child.empty) this.children.set(step, child);
  }

  toFieldsV1(): JsonObject {
    const out: JsonObject = {};
    for (const step of [...new Set([...this.members, ...this.children.keys()])].sort()) {
      const child = this.children.get(step);
      const inner = child && !child.empty ? child.toFieldsV1() : {};
      if (!child && !this.members.has(step)) continue;
      out[step] = this.members.has(step) && Object.keys(inner).length > 0 ? { '.': {}, ...inner } : inner;
    }
    return out;
  }

  /** Throws a TypeError for a value that is not FieldsV1. */
  static fromFieldsV1(fields: unknown): FieldSet {
    if (!isObject(fields)) throw new TypeError('FieldsV1 must be an object');
    const out = new FieldSet();
    for (const [step, inner] of Object.entries(fields)) {
      if (step === '.') continue;
      if (!/^[fkvi]:/s.test(step)) throw new TypeError(`FieldsV1 has an unknown path element ${JSON.stringify(step)}`);
      const child = FieldSet.fromFieldsV1(inner);
      if (child.empty || (isObject(inner) && inner['.'] !== undefined)) out.members.add(step);
      if (!child.empty) out.children.set(step, child);
    }
    return out;
  }
}

/** A path as conflicts show it: `.spec.containers[name="a"].image`, `.metadata.finalizers[="x"]`. */
export function pathText(path: readonly Step[]): string {
  return path
    .map((step) => {
      const value = step.slice(2);
      if (step.startsWith('f:')) return `.${value}`;
      if (step.startsWith('v:')) return `[=${value}]`;
      if (step.startsWith('i:')) return `[${value}]`;
      const keys = Object.entries(JSON.parse(value) as object).map(([key, item]) => `${key}=${JSON.stringify(item)}`);
      return `[${keys.join(',')}]`;
    })
    .join('');
}
