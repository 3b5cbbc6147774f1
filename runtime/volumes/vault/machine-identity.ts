import { type ScopeRule, scopesAllow } from '../../azure/arm/scopes.ts';
import type { Authorizer } from '../../azure/types.ts';
import { AzimuthError } from '../../base/errors.ts';
import type { DriverSettings } from '../options/settings.ts';
import type { VolumeSpec } from '../options/volume-spec.ts';

/** Throws AZ_VOLUME_REFUSED unless the node allows volumes the machine's identity that the volume names. */
export function checkMachineIdentity({ identity }: VolumeSpec, allowed: DriverSettings['machineIdentities']): void {
  if (identity.mode !== 'vm' || allowed === 'any') return;
  const { clientId = 'system' } = identity;
  if (allowed.some((id) => id.toLowerCase() === clientId.toLowerCase())) return;
  const which = clientId === 'system' ? 'system-assigned identity' : `identity ${clientId.slice(0, 80)}`;
  throw refused(
    `The settings of this node (machineIdentities) do not let volumes use the machine's ${which}; ` +
      "use the pod's own identity, or list this one there",
  );
}

/**
 * An authorizer limited to the identities that the rules allow the namespace. The metadata endpoint writes the ARM id
 * of the identity into each token (`xms_mirid`), so a client id cannot stand for another identity. Throws
 * AZ_VOLUME_REFUSED.
 */
export function withinScopes(authorizer: Authorizer, namespace: string, rules: readonly ScopeRule[]): Authorizer {
  return {
    description: authorizer.description,
    async getToken(request) {
      const token = await authorizer.getToken(request);
      const id = resourceIdOf(token.token);
      if (id === undefined) throw refused('The token of the machine does not say which identity it is of (xms_mirid)');
      if (namespace !== '' && scopesAllow(rules, namespace, id)) return token;
      throw refused(
        `The node agent does not let the namespace ${namespace || 'of an unknown pod'} use the identity ${id} ` +
          "(--identity-scopes); use the pod's own identity, or add a rule for the namespace",
      );
    },
  };
}

/** The ARM id in a token. The token comes from the metadata endpoint, so its signature is not checked. */
function resourceIdOf(token: string): string | undefined {
  try {
    const claims: unknown = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString('utf8'));
    const { xms_mirid: id } = claims as Readonly<Record<string, unknown>>;
    return typeof id === 'string' && id !== '' ? id : undefined;
  } catch {
    return undefined;
  }
}

function refused(message: string): AzimuthError {
  return new AzimuthError('AZ_VOLUME_REFUSED', message, { retryable: false });
}
