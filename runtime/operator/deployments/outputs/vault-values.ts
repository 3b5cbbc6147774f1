import { randomUUID } from 'node:crypto';
import { AzimuthError } from '../../../base/errors.ts';
import type { OutputSource } from '../../../compute/deployments/goal-outputs.ts';
import type { KubeObject } from '../../../kube/client/types.ts';
import type { ChosenCredential, Credentials } from '../../credentials/credentials.ts';
import type { Resolver } from '../../references/resolve.ts';
import type { TemplateAnswersDeps } from '../template-answers.ts';

/** Dependencies of `VaultValues`. */
export interface VaultValuesDeps {
  /** Chooses the credential of a deployment, and holds no Secret for it: a deployment deletes nothing by itself. */
  readonly credentials: Pick<Credentials, 'credentialFor'>;
  readonly values: TemplateAnswersDeps['values'];
  /** The ManagedSecrets of the namespace of a deployment. */
  readonly managedSecrets: (object: KubeObject, chosen: ChosenCredential) => NonNullable<Resolver['managedSecrets']>;
}

/** A value that a vault has. */
export type VaultSource = Extract<OutputSource, { managedSecret: string } | { keyVault: object }>;

const retryMs = 30_000;

/**
 * Reads values of vaults for the outputs of a deployment, as an ArmResource of its namespace gets them: with the credential
 * of the deployment or its namespace, or with the operator's own as far as the namespace may reach.
 */
export class VaultValues {
  readonly #deps: VaultValuesDeps;

  constructor(deps: VaultValuesDeps) {
    this.#deps = deps;
  }

  /** Rejects with AZ_REFERENCE_MISSING while there is no value, and with the failure of the vault. */
  async read(deployment: KubeObject, source: VaultSource, signal: AbortSignal): Promise<unknown> {
    const { credentials, values, managedSecrets } = this.#deps;
    const chosen = await credentials.credentialFor(deployment, signal);
    if (!chosen.credential) throw missing(chosen.waits[0]?.message ?? 'The deployment has no credential');
    const place = 'keyVault' in source ? source.keyVault : managedSecrets(deployment, chosen)(source.managedSecret);
    if (!place) throw missing('ManagedSecrets need an operator with --machine-secrets');
    if ('reason' in place) throw missing(place.message);
    const read = values(deployment, chosen, { correlationId: randomUUID(), signal });
    const value = await read({ type: 'keyVault', path: 'outputs', ...place });
    if (value === undefined) throw missing(`The secret ${place.secret} of ${place.id} does not exist in Azure`);
    return value;
  }
}

const missing = (message: string) => new AzimuthError('AZ_REFERENCE_MISSING', message, { retryAfterMs: retryMs });
