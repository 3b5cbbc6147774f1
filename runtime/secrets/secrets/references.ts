import type { ArmReference } from '../../api/common-schemas.ts';
import { resourceOf, tryKindOf } from '../../api/kinds.ts';
import { tryNormalizePath } from '../../azure/arm/resource-ids.ts';
import { type ScopeRule, scopesAllow } from '../../azure/arm/scopes.ts';
import { AzimuthError } from '../../base/errors.ts';
import { isObject } from '../../base/json.ts';
import type { KubeClient } from '../../kube/client/types.ts';

/** The kinds that a ManagedSecret may name for the endpoint; it may read no others. */
export const referencedKinds: readonly (readonly [group: string, kind: string])[] = [
  ['keyvault.azure.com', 'Vault'],
  ['managedidentity.azure.com', 'UserAssignedIdentity'],
  ['compute.azure.com', 'VirtualMachine'],
  ['compute.azure.com', 'VirtualMachineScaleSet'],
];

/** Dependencies of References. */
export interface ReferencesDeps {
  readonly client: Pick<KubeClient, 'tryGet'>;
  /** Undefined: no rules, and every ARM id may be reached. */
  readonly scopes: readonly ScopeRule[] | undefined;
}

/**
 * The ARM ids that ManagedSecrets name. Each must lie in the scopes of the namespace, because the endpoint reads it with
 * a credential of its own.
 */
export class References {
  readonly #deps: ReferencesDeps;

  constructor(deps: ReferencesDeps) {
    this.#deps = deps;
  }

  /**
   * The ARM id, in lower case. Throws AZ_REFERENCE_MISSING where the object does not exist or has no ARM id yet, and
   * AZ_TERMINAL for one outside the scopes of the namespace.
   */
  async armIdOf(namespace: string, reference: ArmReference, signal?: AbortSignal): Promise<string> {
    const text = reference.armId ?? (await this.#idOfObject(namespace, reference, signal));
    const id = tryNormalizePath(text);
    if (id === undefined) throw new AzimuthError('AZ_TERMINAL', `${text.slice(0, 300)} is no ARM id`);
    const { scopes } = this.#deps;
    if (scopes === undefined || scopesAllow(scopes, namespace, id)) return id;
    throw new AzimuthError(
      'AZ_TERMINAL',
      `${id} may not be reached from the namespace ${namespace}: allow it by --credential-scopes`,
    );
  }

  /** The id in the status is not trusted: its writer may name any id in the spec as well, and the scopes bound both. */
  async #idOfObject(namespace: string, reference: ArmReference, signal?: AbortSignal): Promise<string> {
    const { group = '', kind = '', name = '' } = reference;
    const definition = referencedKinds.some((each) => each[0] === group && each[1] === kind) && tryKindOf(group, kind);
    if (!definition) {
      const kinds = referencedKinds.map((each) => each[1]).join(', ');
      throw new AzimuthError(
        'AZ_TERMINAL',
        `The endpoint reads no ${kind} (${group}): name one of ${kinds}, or an armId`,
      );
    }
    const object = await this.#deps.client.tryGet(resourceOf(definition), { namespace, name }, signal);
    const status = object?.['status'];
    const id = isObject(status) ? status['id'] : undefined;
    if (typeof id === 'string') return id;
    const what = object ? 'is not in Azure yet' : 'does not exist in this namespace';
    throw new AzimuthError('AZ_REFERENCE_MISSING', `${kind} ${name} ${what}`);
  }
}
