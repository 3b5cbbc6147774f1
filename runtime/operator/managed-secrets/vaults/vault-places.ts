import { randomUUID } from 'node:crypto';
import type { ArmReference } from '../../../api/common-schemas.ts';
import { managedSecret } from '../../../api/machines/managed-secret.ts';
import { reasons } from '../../../arm-kinds/names.ts';
import { resourceIn } from '../../../azure/arm/answers.ts';
import { ArmError, isTransient } from '../../../azure/arm/errors.ts';
import { tryParseResourceId } from '../../../azure/arm/resource-ids.ts';
import type { Credential } from '../../../azure/identity/credential.ts';
import type { KeyVault } from '../../../azure/key-vault/client.ts';
import { FairSemaphore } from '../../../base/fairness/fair-semaphore.ts';
import { isObject, type JsonObject } from '../../../base/json.ts';
import { normalizeTexts } from '../../../base/text/normalize.ts';
import { locationKey } from '../../../compute/features/features.ts';
import { home } from '../../../compute/managed-secrets/plan.ts';
import type { ReconcileDeps } from '../../effects/reconcile-deps.ts';
import { vaultNameOf } from '../../export/key-vault-clients.ts';
import type { FeatureGates } from '../../features/feature-gates.ts';
import { nodeId } from '../../objects/node-id.ts';
import { usableId } from '../../objects/resource-id.ts';
import type { ManagedSecretObject } from '../secret-object.ts';

/** One reconcile run of a ManagedSecret. */
export interface SecretContext {
  readonly object: ManagedSecretObject;
  /** Name of the secret in every vault. */
  readonly name: string;
  readonly credential: Credential;
  /** Whether the credential belongs to the operator, so that the scopes of the namespace bound it. */
  readonly bounded: boolean;
  readonly correlationId: string;
  readonly signal: AbortSignal;
}

/** A run with a correlation id of its own. */
export function secretContext(run: Omit<SecretContext, 'correlationId'>): SecretContext {
  return { ...run, correlationId: randomUUID() };
}

/** A vault that a ManagedSecret names. */
export interface VaultPlace {
  /** `home`, or the region of the copy in lower case. */
  readonly location: string;
  /** Path of the reference in the spec. */
  readonly path: string;
  readonly reference: ArmReference;
}

/** The vaults of a spec, the home vault first. */
export function placesOf({ spec }: ManagedSecretObject): VaultPlace[] {
  const atHome = spec.home && { location: home, path: 'spec.home.vault', reference: spec.home.vault };
  const regions = (spec.regions ?? []).map(({ location, vault }, index) => ({
    location,
    path: `spec.regions[${index}].vault`,
    reference: vault,
  }));
  return [...(atHome ? [atHome] : []), ...regions];
}

/** The node of the graph for the object that a reference names; undefined for an ARM id. */
export function nodeOfReference({ group = '', kind = '', name }: ArmReference, namespace: string): string | undefined {
  return name === undefined ? undefined : nodeId(group, kind, { namespace, name });
}

/** A vault, ready for requests. */
export interface OpenVault {
  readonly armId: string;
  /** Region of the vault in lower case. */
  readonly location: string;
  readonly enabledForDeployment: boolean;
  readonly vault: KeyVault;
}

/** ARM's description of a vault, and the time of the read. */
export interface VaultInfo {
  readonly armId: string;
  readonly location: string;
  readonly enabledForDeployment: boolean;
  readonly readAt: number;
}

/** Why a vault of the spec is not to be used. */
export class PlaceProblem extends Error {
  /** A word for a condition. */
  readonly reason: string;
  /** Whether it was found without a request: it is checked again in each run. */
  readonly local: boolean;

  constructor(reason: string, message: string, local = false) {
    super(message);
    this.reason = reason;
    this.local = local;
  }
}

const vaultApiVersion = '2024-11-01';
/** Milliseconds for which location and flags of a vault are believed. */
const infoMaxAgeMs = 300_000;

/** Opens the vaults that ManagedSecrets name. */
export class VaultPlaces {
  /** Vaults that are read at a time: a namespace may name very many that hang. */
  readonly reads = new FairSemaphore({ total: 64, perKey: 32 });
  readonly #deps: ReconcileDeps;
  readonly #gates: Pick<FeatureGates, 'of'>;

  constructor(deps: ReconcileDeps, gates: Pick<FeatureGates, 'of'>) {
    this.#deps = deps;
    this.#gates = gates;
  }

  /** ARM id of a reference. Throws PlaceProblem while the object is not in Azure, and where scopes do not allow it. */
  armIdOf(context: SecretContext, given: ArmReference, path: string): string {
    const reference = normalizeTexts(given);
    const { namespace = '' } = context.object.metadata;
    const { group = '', kind = '', name = '' } = reference;
    const vaultId =
      reference.armId === undefined ? this.#deps.objects.get(group, kind, { namespace, name }) : undefined;
    const armId = reference.armId ?? (vaultId && usableId(vaultId));
    if (armId === undefined) {
      const problem = vaultId ? 'is not in Azure yet' : 'does not exist in this namespace yet';
      throw new PlaceProblem(reasons.referenceNotFound, `${kind} ${name}, named by ${path}, ${problem}`, true);
    }
    if (context.bounded) this.#deps.credentialScopes.checkReach(context.object, armId);
    const gate = this.#gates.of(tryParseResourceId(armId)?.subscriptionId ?? '');
    if (!gate.open) throw new PlaceProblem('WaitingForFeature', gate.message, true);
    return armId;
  }

  /**
   * Opens a vault. ARM says where it lies; its last answer serves while ARM does not answer. Throws PlaceProblem,
   * ScopeNotAllowed, and errors of ARM.
   */
  async open(
    context: SecretContext,
    place: VaultPlace,
    knownVault: VaultInfo | undefined,
  ): Promise<[OpenVault, VaultInfo]> {
    const armId = this.armIdOf(context, place.reference, place.path);
    const name = vaultNameOf(armId);
    const info = await this.#info(context, armId, knownVault);
    if (place.location !== home && info.location !== locationKey(place.location)) {
      const message = `The vault ${name}, named by ${place.path}, lies in ${info.location}: name one of ${place.location}`;
      throw new PlaceProblem('RegionMismatch', message);
    }
    const onRequest = (method: string, status: number) =>
      this.#deps.metrics.vaultRequest(managedSecret, method, status);
    const { correlationId, credential } = context;
    const vault = this.#deps.vaults.open(name, credential, { correlationId, onRequest });
    return [{ armId, location: info.location, enabledForDeployment: info.enabledForDeployment, vault }, info];
  }

  async #info(context: SecretContext, armId: string, knownVault: VaultInfo | undefined): Promise<VaultInfo> {
    const now = this.#deps.runtime.clock.now();
    const usable = knownVault?.armId === armId ? knownVault : undefined;
    if (usable && now - usable.readAt < infoMaxAgeMs) return usable;
    try {
      return { ...(await this.#read(context, armId)), readAt: now };
    } catch (error) {
      // A refusal counts: a vault that is gone may be another one's by now.
      if (context.signal.aborted || !usable || (error instanceof ArmError && !isTransient(error.info.status)))
        throw error;
      return usable;
    }
  }

  async #read(context: SecretContext, armId: string): Promise<Omit<VaultInfo, 'readAt'>> {
    const { location, properties } = await armGet(this.#deps, context, armId, vaultApiVersion);
    const flags = isObject(properties) ? properties : {};
    return {
      armId,
      location: locationKey(typeof location === 'string' ? location : ''),
      enabledForDeployment: flags['enabledForDeployment'] === true,
    };
  }
}

/** The resource with this ARM id, read for a run. Throws the errors of ARM, and UnexpectedAnswer for another document. */
export async function armGet(
  deps: ReconcileDeps,
  context: SecretContext,
  path: string,
  apiVersion: string,
): Promise<JsonObject> {
  const { credential, correlationId, object, signal } = context;
  const { authorizer } = credential;
  const answer = await deps.arm.send({
    method: 'GET',
    path,
    apiVersion,
    authorizer,
    correlationId,
    share: object.metadata.namespace ?? '',
    signal,
    background: true,
  });
  return resourceIn(answer, path);
}
