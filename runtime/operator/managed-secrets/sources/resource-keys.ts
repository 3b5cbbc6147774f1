import { armKindsOfType } from '../../../api/kinds.ts';
import type { SecretSource } from '../../../api/types.ts';
import { valueAt } from '../../../arm-kinds/body/value-path.ts';
import { exportAction } from '../../../arm-kinds/export/export-plan.ts';
import { annotations, operatorName } from '../../../arm-kinds/names.ts';
import { tryParseResourceId } from '../../../azure/arm/resource-ids.ts';
import { AzimuthError } from '../../../base/errors.ts';
import type { SecretVersion } from '../../../compute/managed-secrets/vault-tags.ts';
import type { ReconcileDeps } from '../../effects/reconcile-deps.ts';
import { type NewVersion, valueHash, writeVersion } from '../vaults/secret-steps.ts';
import { type OpenVault, PlaceProblem, type SecretContext, type VaultPlaces } from '../vaults/vault-places.ts';

/** Milliseconds between two reads of a key that is being renewed. */
const pollMs = 60_000;
const path = 'spec.resourceKey.resource';

/** Keys of other resources: a version is a copy of the key, and the rotation of that resource renews it. */
export class ResourceKeySource {
  readonly #deps: ReconcileDeps;
  readonly #places: VaultPlaces;

  constructor(deps: ReconcileDeps, places: VaultPlaces) {
    this.#deps = deps;
    this.#places = places;
  }

  /** Writes the key as a new version; while it is still the newest one, asks for its renewal and waits. */
  async create(context: SecretContext, atHome: OpenVault, version: NewVersion): Promise<number | undefined> {
    const value = await this.#key(context);
    const { fingerprints } = this.#deps;
    if (version.newest && (await valueHash(context, value, fingerprints)) === version.newest.hash) {
      await this.#renew(context, version.number);
      return pollMs;
    }
    await writeVersion(context, atHome, { value, contentType: 'text/plain' }, version, fingerprints);
    return undefined;
  }

  /** Whether somebody renewed the key. */
  async isOutdated(context: SecretContext, _atHome: OpenVault, current: SecretVersion): Promise<boolean> {
    return (await valueHash(context, await this.#key(context), this.#deps.fingerprints)) !== current.hash;
  }

  async #key(context: SecretContext): Promise<string> {
    const { resource, key = '' } = context.object.spec.resourceKey ?? {};
    const armId = this.#places.armIdOf(context, resource ?? {}, path);
    const type = tryParseResourceId(armId)?.type ?? '';
    const source = armKindsOfType(type)[0]?.arm.secretSource;
    const { action, value } = keyRequest(source, key);
    const request = exportAction(armId, action);
    const { correlationId, signal, credential, object } = context;
    const answer = await this.#deps.arm.send({
      method: request.method,
      path: request.path,
      apiVersion: request.apiVersion,
      authorizer: credential.authorizer,
      correlationId,
      share: object.metadata.namespace ?? '',
      signal,
    });
    const keyValue = valueAt(answer.body, value);
    if (typeof keyValue === 'string' && keyValue !== '') return keyValue;
    throw new AzimuthError('AZ_REFERENCE_MISSING', `Azure does not show the key ${key} of ${armId} yet`);
  }

  /** Asks the object of the resource for new keys, once for each number. */
  async #renew({ object, signal }: SecretContext, number: number): Promise<void> {
    const { group = '', kind = '', name } = object.spec.resourceKey?.resource ?? {};
    const { namespace = '' } = object.metadata;
    const type = this.#deps.objects.typeOf(group, kind);
    if (name === undefined || !type) {
      const message = `${path} names no object of this namespace: only the keys of an object can be renewed`;
      throw new PlaceProblem('RotationNotSupported', message, true);
    }
    const body = { metadata: { annotations: { [annotations.rotateKeys]: `${object.metadata.name}-${number}` } } };
    const options = { fieldManager: operatorName, signal };
    await this.#deps.runtime.client.patch(type, { namespace, name }, { type: 'merge', body }, options);
  }
}

/** The request for a key, and where the answer has it. Throws PlaceProblem for a key that the kind does not have. */
function keyRequest(source: SecretSource | null | undefined, key: string) {
  const secretSource = source && Object.hasOwn(source.secrets, key) ? source.secrets[key] : undefined;
  const action = source?.action ?? source?.actions?.[key];
  if (
    secretSource?.from === 'action' &&
    secretSource.path !== undefined &&
    action &&
    !action.lro &&
    !action.path.startsWith('{')
  ) {
    return { action, value: secretSource.path };
  }
  const secrets = source?.action?.lro ? {} : source?.secrets;
  const has = Object.entries(secrets ?? {}).flatMap(([name, { from }]) => (from === 'action' ? [name] : []));
  const message = `${path} has no key ${key}: it has ${has.sort().join(', ') || 'none'}`;
  throw new PlaceProblem('KeyUnknown', message, true);
}
