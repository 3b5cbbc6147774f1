import type { ReferenceTarget } from '../evaluation/scope.ts';
import { notDefined } from '../functions/resources.ts';
import type { Problems } from '../problems.ts';
import { quoted, TemplateError } from '../problems.ts';
import type { Instance } from './instances.ts';

/** The resources of a template by id, by name and by copy loop, whatever the case. */
export class Registry {
  readonly #groupId: string;
  readonly #byId = new Map<string, Instance>();
  readonly #byName = new Map<string, Instance[]>();
  readonly #byLoop = new Map<string, Instance[]>();

  constructor(instances: readonly Instance[], groupId: string, problems: Problems) {
    this.#groupId = groupId;
    for (const instance of instances) {
      const key = instance.id.toLowerCase();
      const other = this.#byId.get(key);
      if (other?.isDeployed && instance.isDeployed) {
        problems.add(
          'Structure',
          instance.node,
          `The resource '${instance.id}' is defined multiple times in the template: rename one`,
        );
      }
      if (!other?.isDeployed) this.#byId.set(key, instance);
      push(this.#byName, instance.name, instance);
      push(this.#byName, `${instance.type}/${instance.name}`, instance);
      if (instance.copy) push(this.#byLoop, instance.copy.name, instance);
    }
  }

  /** The instances of a dependency: by id, name, type and name, or copy loop. Throws TemplateError for none or several. */
  dependencies(text: string): readonly Instance[] {
    const named = this.#find(text);
    if (named) return [named];
    const loop = this.#byLoop.get(text.toLowerCase());
    if (loop) return loop;
    throw notDefined(text);
  }

  /** The target of `reference()`: a resource of the template, or an id with a version. Throws TemplateError. */
  reference(nameOrId: string, hasVersion: boolean): ReferenceTarget {
    const instance = this.#find(nameOrId);
    if (instance?.isDeployed) return { kind: 'resource', id: instance.id };
    const isOutside = nameOrId.startsWith('/') && hasVersion;
    if (!instance && isOutside) return { kind: 'resource', id: nameOrId };
    throw notDefined(instance?.id ?? nameOrId);
  }

  /** The instance of this id. */
  byId(id: string): Instance | undefined {
    return this.#byId.get(id.toLowerCase());
  }

  #find(text: string): Instance | undefined {
    const key = text.toLowerCase();
    if (key.startsWith('/')) return this.#byId.get(key);
    const relative = this.#byId.get(`${this.#groupId}/providers/${text}`.toLowerCase());
    if (relative) return relative;
    const named = this.#byName.get(key) ?? [];
    const deployed = named.filter(({ isDeployed }) => isDeployed);
    if (deployed.length > 1) {
      throw new TemplateError(
        'Dependency',
        `The name ${quoted(text)} is of ${deployed.length} resources: use resourceId()`,
      );
    }
    return deployed[0] ?? named[0];
  }
}

function push(map: Map<string, Instance[]>, name: string, instance: Instance): void {
  const key = name.toLowerCase();
  const list = map.get(key);
  if (list) list.push(instance);
  else map.set(key, [instance]);
}
