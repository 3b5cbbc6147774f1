import type { ReferenceTarget, Run } from '../evaluation/scope.ts';
import { notDefined } from '../functions/resources.ts';
import { quoted, TemplateError } from '../problems.ts';
import type { Instance, Shared } from './instance.ts';

/** The resources of one template by id, by name or symbolic name, and by copy loop, ignoring case. */
export class Registry {
  readonly #shared: Shared;
  readonly #byId = new Map<string, Instance>();
  readonly #byName = new Map<string, Instance[]>();
  readonly #byLoop = new Map<string, Instance[]>();

  constructor(instances: readonly Instance[], shared: Shared) {
    this.#shared = shared;
    for (const instance of instances) {
      const key = instance.id.toLowerCase();
      const other = shared.all.get(key);
      if (other?.isDeployed && instance.isDeployed) {
        const message = `The resource '${instance.id}' is defined multiple times in the template: rename one`;
        shared.problems.add('Structure', instance.node, message);
      }
      if (!other?.isDeployed) shared.all.set(key, instance);
      if (!this.#byId.get(key)?.isDeployed) this.#byId.set(key, instance);
      const { symbol, copy } = instance;
      if (symbol !== undefined) push(copy ? this.#byLoop : this.#byName, symbol, instance);
      else {
        push(this.#byName, instance.name, instance);
        push(this.#byName, `${instance.type}/${instance.name}`, instance);
        if (copy) push(this.#byLoop, copy.name, instance);
      }
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
  reference(nameOrId: string, hasVersion: boolean, run: Run): ReferenceTarget {
    const own = this.#find(nameOrId);
    const isOutside = !own && nameOrId.startsWith('/') && hasVersion;
    const instance = isOutside ? this.#shared.all.get(nameOrId.toLowerCase()) : own;
    if (instance?.nested)
      return {
        kind: 'deployment',
        resource: instance.nested.resource(run),
        ids: [instance.id, ...instance.nested.outputEdges],
      };
    if (instance?.isDeployed || instance?.isExisting) return { kind: 'resource', id: instance.id };
    if (isOutside) return { kind: 'resource', id: nameOrId };
    throw notDefined(instance?.id ?? nameOrId);
  }

  #find(text: string): Instance | undefined {
    const key = text.toLowerCase();
    if (key.startsWith('/')) return this.#byId.get(key);
    const relative = this.#byId.get(`${this.#shared.groupId}/providers/${text}`.toLowerCase());
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
