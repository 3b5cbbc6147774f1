import { Environment, Optional } from '@marcbachmann/cel-js';
import { canonicalJson, isObject } from '../../../../runtime/base/json.ts';
import { get } from '../../../json.ts';
import type { Cause, Unstructured } from '../../model/types.ts';
import { at, child } from '../causes.ts';
import { resolve, type SchemaNode } from '../schema-node.ts';
import { addKubernetesLibrary } from './cel-library.ts';
import { CelTypes, resourceNode } from './cel-types.ts';
import { type CompiledRule, compileRule } from './compile-rule.ts';
import { evaluate } from './evaluate-rule.ts';

interface Level {
  readonly rules: readonly CompiledRule[];
  readonly node: SchemaNode;
}

let library: Environment | undefined;

/** An environment with all that every rule may use; the parent is made once, as it takes longer than most rules. */
function newEnvironment(): Environment {
  if (library === undefined) {
    library = new Environment({ enableOptionalTypes: true, homogeneousAggregateLiterals: false });
    addKubernetesLibrary(library);
  }
  return library.clone();
}

/** The `x-kubernetes-validations` of a schema, compiled once. */
export class CelRules {
  /** The reasons to refuse a CRD; fields lead from the schema's root to the rule's member. */
  readonly problems: Cause[] = [];
  readonly #levels = new Map<SchemaNode, Level>();
  readonly #containsRules = new Map<SchemaNode, boolean>();
  readonly #types: CelTypes;
  readonly #root: SchemaNode;

  /** `path` is where the schema lies, for the fields of problems. */
  constructor(root: SchemaNode, path = '') {
    const env = newEnvironment();
    this.#types = new CelTypes(env);
    this.#root = resourceNode(resolve(root));
    if (!this.#hasRules(this.#root)) return;
    // All types first: a copied environment closes its parent for further ones.
    this.#types.typeOf(this.#root);
    this.#declare(this.#root);
    this.#compile(env, this.#root, path, undefined);
  }

  get empty(): boolean {
    return this.#levels.size === 0;
  }

  /** The causes of every rule that does not hold. */
  validate(object: Unstructured, old?: Unstructured): Cause[] {
    const causes: Cause[] = [];
    if (!this.empty) this.#check(object, old, this.#root, '', causes);
    return causes;
  }

  #hasRules(schema: SchemaNode): boolean {
    const node = resolve(schema);
    const known = this.#containsRules.get(node);
    if (known !== undefined) return known;
    this.#containsRules.set(node, false);
    const found =
      (node['x-kubernetes-validations']?.length ?? 0) > 0 || children(node).some(([, inner]) => this.#hasRules(inner));
    this.#containsRules.set(node, found);
    return found;
  }

  /** Types of places that their parents do not show, such as beneath an unsupported member. */
  #declare(schema: SchemaNode): void {
    const node = resolve(schema);
    if (!this.#hasRules(node)) return;
    this.#types.typeOf(node);
    for (const [, inner] of children(node)) this.#declare(inner);
  }

  #compile(env: Environment, schema: SchemaNode, path: string, uncorrelated: string | undefined): void {
    const node = resolve(schema);
    if (!this.#hasRules(node)) return;
    const type = this.#types.typeOf(node) ?? 'dyn';
    const rules = (node['x-kubernetes-validations'] ?? []).flatMap((rule, index) => {
      const compiled = compileRule(env, type, node, rule, `${path}.x-kubernetes-validations[${index}]`, uncorrelated);
      if ('program' in compiled) return [compiled];
      this.problems.push(compiled);
      return [];
    });
    this.#levels.set(node, { rules, node });
    const listType = node['x-kubernetes-list-type'];
    for (const [step, inner] of children(node)) {
      const breaks = step === '.items' && listType !== 'map' ? path : undefined;
      this.#compile(env, inner, path + step, uncorrelated ?? breaks);
    }
  }

  #check(value: unknown, old: unknown, schema: SchemaNode, path: string, causes: Cause[]): void {
    const node = resolve(schema);
    if (value === undefined || value === null || !this.#hasRules(node)) return;
    const level = this.#levels.get(node);
    const hasOld = old !== undefined && old !== null;
    if (level && level.rules.length > 0) {
      const self = this.#types.toCel(value, node);
      const oldSelf = hasOld ? this.#types.toCel(old, node) : undefined;
      for (const compiled of level.rules) {
        const optional = compiled.rule.optionalOldSelf === true;
        if (compiled.transition && !hasOld && !optional) continue;
        const before = optional ? (hasOld ? Optional.of(oldSelf) : Optional.none()) : oldSelf;
        const cause = evaluate(compiled, { self, oldSelf: before }, value, path);
        if (cause) causes.push(cause);
      }
    }
    if (Array.isArray(value)) {
      const counterpart = correlate(node, Array.isArray(old) ? old : []);
      const { items } = node;
      if (items)
        for (const [index, item] of value.entries())
          this.#check(item, counterpart(item), items, at(path, index), causes);
    } else if (isObject(value)) {
      for (const name of Object.keys(value)) {
        const declared = node.properties && Object.hasOwn(node.properties, name) ? node.properties[name] : undefined;
        const inner =
          declared ?? (typeof node.additionalProperties === 'object' ? node.additionalProperties : undefined);
        if (inner)
          this.#check(
            get(value, name),
            isObject(old) ? get(old, name) : undefined,
            inner,
            declared ? child(path, name) : `${path}[${name}]`,
            causes,
          );
      }
    }
  }
}

/** Finds the old item of a list map by its keys; other lists have no counterparts. */
function correlate(node: SchemaNode, old: readonly unknown[]): (item: unknown) => unknown {
  if (node['x-kubernetes-list-type'] !== 'map') return () => undefined;
  const keys = node['x-kubernetes-list-map-keys'] ?? [];
  const identity = (item: unknown) =>
    canonicalJson(keys.map((key) => (isObject(item) ? (get(item, key) ?? null) : null)));
  const known = new Map(old.map((item) => [identity(item), item]));
  return (item) => known.get(identity(item));
}

function children(node: SchemaNode): [string, SchemaNode][] {
  const out: [string, SchemaNode][] = Object.entries(node.properties ?? {}).map(([name, member]) => [
    `.properties[${name}]`,
    member,
  ]);
  if (node.items) out.push(['.items', node.items]);
  if (typeof node.additionalProperties === 'object') out.push(['.additionalProperties', node.additionalProperties]);
  return out;
}
