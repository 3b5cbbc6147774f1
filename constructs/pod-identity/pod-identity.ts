import { Names } from 'cdk8s';
import type { Workload } from 'cdk8s-plus-27';
import { bindingLabel } from '../../runtime/api/pod-identity/matching.ts';
import type { AzureIdentity } from './azure-identity.ts';
import { AzureIdentityBinding, type AzureIdentityBindingProps } from './azure-identity-binding.ts';

/**
 * The identities of a workload's pods.
 *
 * ```ts
 * PodIdentity.of(deployment).use(identity);
 * ```
 *
 * The pods get the label that bindings select by, with a value that no other workload has; each identity gets a binding.
 */
export class PodIdentity {
  static readonly #known = new WeakMap<Workload, PodIdentity>();
  /** The value of the pods' label. */
  readonly selector: string;
  readonly #workload: Workload;
  readonly #bindings: AzureIdentityBinding[] = [];

  private constructor(workload: Workload) {
    this.#workload = workload;
    const existing = workload.podMetadata.getLabel(bindingLabel);
    this.selector = existing ?? Names.toLabelValue(workload);
    if (existing === undefined) workload.podMetadata.addLabel(bindingLabel, this.selector);
    workload.node.addValidation({ validate: () => this.#problems() });
  }

  /** The same object for the same workload. */
  static of(workload: Workload): PodIdentity {
    const known = PodIdentity.#known.get(workload) ?? new PodIdentity(workload);
    PodIdentity.#known.set(workload, known);
    return known;
  }

  get bindings(): readonly AzureIdentityBinding[] {
    return [...this.#bindings];
  }

  /** Lets the pods use an identity; the first one used serves requests that name none, unless weights decide otherwise. */
  use(
    identity: AzureIdentity,
    options: Pick<AzureIdentityBindingProps, 'weight' | 'availability' | 'volumes'> = {},
  ): this {
    const id = `Identity-${identity.node.addr.slice(-8)}`;
    const long = `${this.selector.toLowerCase().replaceAll(/[^a-z0-9-]+/g, '-')}-${identity.name}`;
    const name = long.slice(0, 253).replace(/[-.]{1,253}$/, '');
    // Ties are decided by name; weights keep the order of use instead.
    const weight = options.weight ?? -this.#bindings.length;
    const props = { identity, selector: this.selector, name, ...(weight !== 0 && { weight }) };
    const { availability, volumes } = options;
    const limits = { ...(availability && { availability }), ...(volumes && { volumes }) };
    this.#bindings.push(new AzureIdentityBinding(this.#workload, id, { ...props, ...limits }));
    this.#namespaces.push(identity);
    return this;
  }

  readonly #namespaces: AzureIdentity[] = [];

  #problems(): string[] {
    const own = this.#workload.metadata.namespace;
    return this.#namespaces
      .filter(({ namespace, isNamespaced }) => isNamespaced && own !== undefined && own !== namespace)
      .map(
        ({ name, namespace }) =>
          `Expected the AzureIdentity \`${name}\` to be in the namespace \`${own}\` of its workload, or not to be namespaced; it is in \`${namespace}\``,
      );
  }
}
