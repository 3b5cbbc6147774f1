import { resourceIn } from '../../../azure/arm/answers.ts';
import { isGone } from '../../../azure/arm/not-found.ts';
import { actionPath, parseResourceId } from '../../../azure/arm/resource-ids.ts';
import type { ArmResponse } from '../../../azure/types.ts';
import { AzimuthError } from '../../../base/errors.ts';
import { isObject } from '../../../base/json.ts';
import type { KubeObject } from '../../../kube/client/types.ts';
import type { ChosenCredential } from '../../credentials/credentials.ts';
import type { ReconcileDeps } from '../../effects/reconcile-deps.ts';
import type { ManagedSecrets } from '../../managed-secrets/resolver.ts';
import { versionFor } from '../../managed-secrets/version-for.ts';
import type { Resolver } from '../../references/resolve.ts';

/** The reconcile run that reads the values. */
interface ValueContext {
  readonly correlationId: string;
  readonly signal: AbortSignal;
}

const vaultVersion = '2022-07-01';
const vaultType = 'microsoft.keyvault/vaults';

/** The ManagedSecrets of the namespace of an object, in the vault of its region where there is one. */
export function managedSecretsOf(
  secrets: Pick<ManagedSecrets, 'resolve' | 'locations'> | undefined,
  { metadata, spec }: KubeObject,
  { credential }: ChosenCredential,
): NonNullable<Resolver['managedSecrets']> {
  const body: unknown = spec?.body;
  const location = isObject(body) && typeof body['location'] === 'string' ? body['location'] : '';
  const reader = { location, subscription: credential?.subscriptionId ?? '' };
  return (name) => secrets && versionFor(secrets, metadata.namespace ?? '', name, reader);
}

/**
 * Reads the values that the body of an object has from Azure and from vaults, with the credential of the object. Throws
 * where its namespace may not reach the resource, and where Azure refuses; undefined for what does not exist.
 */
export function valuesOf(
  {
    arm,
    credentialScopes,
    hostScopes,
    vaults,
  }: Pick<ReconcileDeps, 'arm' | 'credentialScopes' | 'hostScopes' | 'vaults'>,
  object: KubeObject,
  { credential, usesOperatorCredential }: ChosenCredential,
  { correlationId, signal }: ValueContext,
): NonNullable<Resolver['values']> {
  const { namespace: share = '' } = object.metadata;
  return async (input) => {
    if (!credential) return undefined;
    const { authorizer } = credential;
    const { id, type, name } = parseResourceId(input.id);
    if (usesOperatorCredential) {
      credentialScopes.checkReach(object, id);
      if (input.type === 'azure' && input.actionBody !== undefined) {
        credentialScopes.checkIdsIn(object, input.actionBody);
        const sent = { ...object, spec: input.actionBody };
        await hostScopes.check(
          sent,
          { resourceId: id, ownerId: undefined, inputs: [] },
          { authorizer, correlationId, signal },
        );
      }
    }
    const send = (apiVersion: string, action?: string, body?: unknown): Promise<ArmResponse> =>
      arm.send({
        method: action === undefined ? 'GET' : 'POST',
        path: action === undefined ? id : actionPath(id, action),
        apiVersion,
        authorizer,
        correlationId,
        share,
        signal,
        ...(body !== undefined && { body }),
      });
    try {
      if (input.type === 'azure') {
        const answer = await send(input.apiVersion, input.action, input.actionBody);
        return input.action === undefined ? resourceIn(answer, id) : answer.body;
      }
      // Azure has to know the id: the name in it may be that of a vault of somebody else.
      resourceIn(await send(vaultVersion), id);
      if (type.toLowerCase() !== vaultType) throw new AzimuthError('AZ_TERMINAL', `${id} is no Key Vault`);
      const vault = vaults.open(name, credential, { correlationId, onRequest: () => undefined });
      return (await vault.getSecret(input.secret, input.version, signal)).value;
    } catch (error) {
      if (isGone(error)) return undefined;
      throw error;
    }
  };
}
