import { normalizeResourceId, parentId } from '../../azure/arm/resource-ids.ts';
import type { JsonObject } from '../../base/json.ts';
import type { ExpandedResource } from '../templates/expand-template.ts';
import type { ObjectReference } from './template-manifest.ts';

/**
 * References between the objects of a template. A resource that comes earlier, or is outside of the template and known,
 * goes by the name of its object; others go by ARM id, so that no two objects wait for each other.
 */
export class ObjectReferences {
  readonly #objects = new Map<string, ObjectReference>();
  readonly #resources: readonly ExpandedResource[];
  readonly #index: ReadonlyMap<string, number>;
  /** For each resource, a bit for each resource that it depends on, over several steps. */
  readonly #before = new Map<number, Uint32Array>();

  constructor(outside: Readonly<Record<string, ObjectReference>>, resources: readonly ExpandedResource[]) {
    for (const [id, object] of Object.entries(outside)) this.#objects.set(normalizeResourceId(id), object);
    this.#resources = resources;
    this.#index = new Map(resources.map(({ id }, index) => [normalizeResourceId(id), index]));
  }

  /** Records the object of a resource of the template. */
  set(id: string, { group, kind, name }: ObjectReference): void {
    this.#objects.set(normalizeResourceId(id), { group, kind, name });
  }

  /** The reference of the resource `from` to another one: `{group, kind, name}` or `{armId}`. */
  refer(from: string, armId: string): JsonObject {
    const key = normalizeResourceId(armId);
    const object = this.#objects.get(key);
    const mayName = object && (!this.#index.has(key) || this.isBefore(armId, from));
    return mayName ? { ...object } : { armId };
  }

  /** Ids of the resources that come before one: its dependencies, and its parent, even where no dependency says so. */
  before({ id, dependsOn }: ExpandedResource): readonly string[] {
    const index = this.#index.get(normalizeResourceId(parentId(id) ?? ''));
    const parent = index === undefined ? undefined : this.#resources[index]?.id;
    return parent === undefined || dependsOn.includes(parent) ? dependsOn : [...dependsOn, parent].sort();
  }

  /** Whether the resource comes before the other one, over any number of steps. */
  isBefore(id: string, other: string): boolean {
    const index = this.#index.get(normalizeResourceId(id));
    const at = this.#index.get(normalizeResourceId(other));
    if (index === undefined || at === undefined) return false;
    return (((this.#earlier(at)[index >> 5] ?? 0) >>> (index & 31)) & 1) === 1;
  }

  #earlier(at: number): Uint32Array {
    const known = this.#before.get(at);
    if (known) return known;
    const bits = new Uint32Array((this.#resources.length >> 5) + 1);
    this.#before.set(at, bits);
    const resource = this.#resources[at];
    for (const id of resource ? this.before(resource) : []) {
      const index = this.#index.get(normalizeResourceId(id));
      if (index === undefined) continue;
      for (const [word, more] of this.#earlier(index).entries()) bits[word] = (bits[word] ?? 0) | more;
      bits[index >> 5] = (bits[index >> 5] ?? 0) | (1 << (index & 31));
    }
    return bits;
  }
}
