import type { ReferenceTarget, Run } from '../evaluation/scope.ts';
import { notDefined } from '../functions/resource-names.ts';
import { DecidedLater, quoted, TemplateError } from '../problems.ts';
import type { DeploymentScope } from './deployments/deployment-scope.ts';
import type { Instance, Shared } from './instance.ts';

/** The template of a registry. */
interface RegistryPart {
  readonly shared: Shared;
  readonly target: DeploymentScope;
  /** Names of its copy loops in lower case. */
  readonly loops: ReadonlySet<string>;
  /** Why resources are not there, by their names and ids in lower case. */
  readonly absent: ReadonlyMap<string, Error>;
}

/** The resources of one template by id, by name or symbolic name, and by copy loop, ignoring case. */
export class Registry {
  readonly #part: RegistryPart;
  readonly #byId = new Map<string, Instance>();
  readonly #byName = new Map<string, Instance[]>();
  readonly #byLoop = new Map<string, Instance[]>();

  constructor(instances: readonly Instance[], part: RegistryPart) {
    this.#part = part;
    const { shared } = part;
    for (const instance of instances) {
      const key = instance.id.toLowerCase();
      const own = this.#byId.get(key);
      if (own?.isDeployed && instance.isDeployed) {
        const message = `The resource '${instance.id}' is defined multiple times in the template: rename one`;
        shared.problems.add('Structure', instance.node, message);
      }
      if (!shared.all.get(key)?.isDeployed || instance.isDeployed) shared.all.set(key, instance);
      if (!own?.isDeployed) this.#byId.set(key, instance);
      const { symbol, copy } = instance;
      if (symbol !== undefined) push(copy ? this.#byLoop : this.#byName, symbol, instance);
      else {
        push(this.#byName, instance.name, instance);
        push(this.#byName, `${instance.type}/${instance.name}`, instance);
        if (copy) push(this.#byLoop, copy.name, instance);
      }
    }
  }

  /**
   * The instances of a dependency: by id, name, type and name, or copy loop. Throws TemplateError for none or several, and
   * DecidedLater for one that answers of Azure decide about.
   */
  dependencies(text: string): readonly Instance[] {
    const named = this.#find(text);
    if (named) return [named];
    const absent = this.#absent(text);
    if (absent instanceof DecidedLater) throw absent;
    const loop = this.#byLoop.get(text.toLowerCase());
    if (loop) return loop;
    if (absent instanceof TemplateError || this.#part.loops.has(text.toLowerCase())) return [];
    throw absent ?? notDefined(text, this.#names());
  }

  /** The targets of the elements of a copy loop, in its order. Throws TemplateError for a name that is none. */
  references(name: string, run: Run): readonly ReferenceTarget[] {
    const loop = this.#byLoop.get(name.toLowerCase());
    const absent = this.#absent(name);
    if (absent instanceof DecidedLater) return [{ kind: 'decided later', ids: absent.waitsFor }];
    if (absent) throw absent;
    if (!loop && !this.#part.loops.has(name.toLowerCase())) throw notDefined(name, this.#names());
    const deployed = (loop ?? []).filter(({ isDeployed, isExisting }) => isDeployed || isExisting);
    return deployed.map((instance) => targetOf(instance, run));
  }

  /** The target of `reference()`: a resource of the template, or an id with a version. Throws TemplateError. */
  reference(nameOrId: string, hasVersion: boolean, run: Run): ReferenceTarget {
    const own = this.#find(nameOrId);
    // A type with its names is a resource of the scope of the deployment.
    const id = relativeName.test(nameOrId) ? `${this.#part.target.id}/providers/${nameOrId}` : nameOrId;
    const isOutside = !own && id.startsWith('/') && hasVersion;
    const instance = isOutside ? this.#part.shared.all.get(normalized(id)) : own;
    if (instance?.isDeployed || instance?.isExisting) return targetOf(instance, run);
    const absent = this.#absent(nameOrId);
    if (absent instanceof DecidedLater) return { kind: 'decided later', ids: absent.waitsFor };
    if (absent) throw absent;
    if (isOutside) return { kind: 'resource', id };
    throw notDefined(instance?.id ?? nameOrId, this.#names());
  }

  /** Names of resources and loops for a hint; ids by their last parts. */
  *#names(): Iterable<string> {
    yield* this.#byName.keys();
    yield* this.#byLoop.keys();
  }

  #absent(text: string): Error | undefined {
    const { absent } = this.#part;
    return absent.get(normalized(text)) ?? absent.get(normalized(text).replace(/\[[0-9]{1,3}\]$/, ''));
  }

  #find(text: string): Instance | undefined {
    const key = normalized(text);
    if (key.startsWith('/')) return this.#byId.get(key);
    const relative = this.#byId.get(`${this.#part.target.id}/providers/${text}`.toLowerCase());
    if (relative) return relative;
    const [, loop, index] = /^([^[\]]{1,260})\[([0-9]{1,3})\]$/.exec(key) ?? [];
    const element =
      loop === undefined ? undefined : this.#byLoop.get(loop)?.find(({ copy }) => copy?.index === Number(index));
    if (element) return element;
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

/** `Microsoft.Storage/storageAccounts/name` */
const relativeName = /^[A-Za-z][A-Za-z0-9]{0,60}\.[A-Za-z0-9.]{1,60}\/[^/]{1,100}\/[^/]/;

/** As `reference()` sees an instance. */
function targetOf(instance: Instance, run: Run): ReferenceTarget {
  const { id, nested, apiVersion } = instance;
  if (!nested) return { kind: 'resource', id, apiVersion };
  return { kind: 'deployment', resource: nested.resource(run), ids: [id, ...nested.outputEdges] };
}

/** A name or id to compare: the id of a resource group has two forms. */
function normalized(text: string): string {
  return text
    .toLowerCase()
    .replace(
      /^(\/subscriptions\/[^/]{1,100})\/providers\/microsoft\.resources(?=\/resourcegroups\/[^/]{1,100}$)/,
      '$1',
    );
}

function push(map: Map<string, Instance[]>, name: string, instance: Instance): void {
  const key = name.toLowerCase();
  const list = map.get(key);
  if (list) list.push(instance);
  else map.set(key, [instance]);
}
