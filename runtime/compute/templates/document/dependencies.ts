import { undecidedEdge } from '../evaluation/scope.ts';
import { memberOf } from '../json/json-node.ts';
import { DecidedLater, TemplateError } from '../problems.ts';
import type { TemplateValue, Unknown } from '../values/value.ts';
import type { Instance, Nested, Shared, TemplatePart } from './instance.ts';
import { attempt, evaluateTree, isDecidedLater } from './tree.ts';

/** Where an instance stands. */
interface Place {
  readonly part: TemplatePart;
  /** The deployment that its template is of. */
  readonly around: Instance | undefined;
  /** The batch of its serial loop before its own. */
  readonly batchBefore: readonly Instance[];
}

/**
 * The resources of a template and of all deployments inside of it, and the dependencies of each. A dependency on a
 * deployment means all of its resources; where it has none, its own dependencies.
 */
export class Dependencies {
  /** Deployed resources, no deployments, in the order of the text. */
  readonly leaves: Instance[] = [];
  readonly #shared: Shared;
  readonly #places = new Map<Instance, Place>();
  readonly #leafIds = new Map<TemplatePart, readonly string[]>();
  readonly #waits = new Map<Instance, ReadonlySet<string> | 'open'>();

  constructor(root: TemplatePart, shared: Shared) {
    this.#shared = shared;
    this.#walk(root, undefined);
    for (const instance of this.#places.keys()) {
      if (instance.nested) this.#check(instance, instance.nested);
    }
  }

  /**
   * Ids of the resources that come before a resource, by dependencies, batches, and `edges` of its expressions; with
   * `undecidedEdge` for instances that are not declared yet.
   */
  before(leaf: Instance, edges: Iterable<string>): ReadonlySet<string> {
    const before = new Set(this.#waitsOf(leaf));
    for (const id of this.#idsOfEdges(edges)) before.add(id);
    return before;
  }

  /** Reports the problems of a deployment that nothing may need. */
  #check(instance: Instance, nested: Nested): void {
    attempt(instance.node, this.#shared.problems, () => nested.outputs);
    attempt(instance.node, this.#shared.problems, () => this.#waitsOf(instance));
  }

  #walk(part: TemplatePart, around: Instance | undefined): void {
    const deployed = part.instances.filter(({ isDeployed }) => isDeployed);
    const batches = batchesBefore(deployed);
    for (const instance of deployed) {
      this.#places.set(instance, { part, around, batchBefore: batches.get(instance) ?? [] });
      const { nested, node } = instance;
      if (!nested) this.leaves.push(instance);
      else {
        const inner = attempt(node, this.#shared.problems, () => nested.part);
        if (inner) this.#walk(inner, instance);
      }
    }
  }

  #waitsOf(instance: Instance): ReadonlySet<string> {
    const known = this.#waits.get(instance);
    if (known === 'open') {
      const message = `Deployment template validation failed: 'Circular dependency detected on resource: '${instance.id}'.`;
      throw new TemplateError('Cycle', `${message} Remove one of its dependencies`);
    }
    if (known) return known;
    this.#waits.set(instance, 'open');
    const waits = new Set<string>();
    try {
      this.#addWaits(instance, waits);
    } finally {
      this.#waits.set(instance, waits);
    }
    return waits;
  }

  #addWaits(instance: Instance, waits: Set<string>): void {
    const place = this.#places.get(instance);
    const others = place ? [...this.#explicit(instance, place.part, waits), ...place.batchBefore] : [];
    for (const other of others) for (const id of this.#idsOf(other)) waits.add(id);
    for (const id of this.#idsOfEdges(instance.nested?.edges ?? [])) waits.add(id);
    for (const id of place?.around ? this.#waitsOf(place.around) : []) waits.add(id);
    this.#shared.run.budget.step(Math.ceil(waits.size / 8));
  }

  *#idsOfEdges(edges: Iterable<string>): Iterable<string> {
    for (const id of edges) {
      const target = this.#shared.all.get(id.toLowerCase());
      if (target) yield* this.#idsOf(target);
      else if (id === undecidedEdge) yield id;
    }
  }

  #idsOf(instance: Instance): Iterable<string> {
    if (!instance.isDeployed) return [];
    if (!instance.nested) return [instance.id];
    const part = attempt(instance.node, this.#shared.problems, () => instance.nested?.part);
    const ids = part ? this.#leafIdsOf(part) : [undecidedEdge];
    this.#shared.run.budget.step(Math.ceil(ids.length / 8));
    return ids.length > 0 ? ids : this.#waitsOf(instance);
  }

  #leafIdsOf(part: TemplatePart): readonly string[] {
    const known = this.#leafIds.get(part);
    if (known) return known;
    const ids = part.instances.flatMap(({ isDeployed, nested, id, node }) => {
      if (!isDeployed) return [];
      if (!nested) return [id];
      const inner = attempt(node, this.#shared.problems, () => nested.part);
      return inner ? this.#leafIdsOf(inner) : [undecidedEdge];
    });
    if (part.isUndecided) ids.push(undecidedEdge);
    this.#leafIds.set(part, ids);
    return ids;
  }

  /** The instances that `dependsOn` names; `waits` gets `undecidedEdge` for instances that are not declared yet. */
  #explicit({ node, scope, id }: Instance, part: TemplatePart, waits: Set<string>): readonly Instance[] {
    const { run, problems } = this.#shared;
    const section = memberOf(node, 'dependsOn');
    if (!section) return [];
    const early = { ...scope, place: 'value that must be known before the deployment' } as const;
    const value = evaluateTree(section, early, run, problems);
    const later = (open: Unknown) => {
      waits.add(undecidedEdge);
      problems.addError(new DecidedLater('dependency of a resource', open), section, id);
    };
    if (isDecidedLater(value)) {
      later(value);
      return [];
    }
    if (!Array.isArray(value)) {
      problems.add('Structure', section, 'dependsOn must be an array of names and ids');
      return [];
    }
    const found = new Set<Instance>();
    for (const text of value as readonly TemplateValue[]) {
      if (typeof text === 'string') {
        const named = attempt(section, problems, () => decidedOf(part, text, waits)) ?? [];
        run.budget.step(1 + Math.ceil(named.length / 8));
        for (const instance of named) found.add(instance);
      } else if (isDecidedLater(text)) later(text);
      else if (text !== null) problems.add('Structure', section, 'dependsOn must have names and ids alone');
    }
    return [...found];
  }
}

/** The instances of a dependency; `waits` gets `undecidedEdge` for one that is not there yet. */
function decidedOf(part: TemplatePart, text: string, waits: Set<string>): readonly Instance[] {
  try {
    return part.dependencies(text);
  } catch (error) {
    if (!(error instanceof DecidedLater)) throw error;
    waits.add(undecidedEdge);
    return [];
  }
}

/**
 * For the instances of a serial loop, the batch before. A batch whose instances are all skipped does not count: the next one
 * waits for the batch before that.
 */
function batchesBefore(deployed: readonly Instance[]): ReadonlyMap<Instance, readonly Instance[]> {
  const before = new Map<Instance, readonly Instance[]>();
  const loops = new Map<unknown, { batch: number; own: Instance[]; before: readonly Instance[] }>();
  for (const instance of deployed) {
    const { node, copy } = instance;
    if (!copy) continue;
    let loop = loops.get(node);
    if (!loop || loop.batch !== copy.batch) {
      loop = { batch: copy.batch, own: [], before: loop?.own ?? [] };
      loops.set(node, loop);
    }
    loop.own.push(instance);
    before.set(instance, loop.before);
  }
  return before;
}
