import { decodeJwt } from 'jose';
import type { Credential } from '../../../azure/identity/credential.ts';
import type { Authorizer } from '../../../azure/types.ts';
import type { Clock } from '../../../base/clock.ts';
import { AzimuthError } from '../../../base/errors.ts';
import type { DeploymentProblem } from '../../../compute/deployments/substitute.ts';
import type { Deployer } from '../../../compute/templates/document/context.ts';
import type { KubeObject } from '../../../kube/client/types.ts';
import type { Credentials } from '../../credentials/credentials.ts';

/** Milliseconds after which a credential that gives no token is asked again. */
const againMs = 30_000;
const guid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/**
 * The identity of the credential with which the operator makes the resources of a deployment, from the claims of its token.
 * The token is Microsoft Entra ID's own answer, so nothing checks its signature. One token serves for each version of a
 * credential, as its identity never changes.
 */
export class Deployers {
  readonly #credentials: Pick<Credentials, 'credentialFor'>;
  readonly #clock: Pick<Clock, 'monotonic'>;
  readonly #byAuthorizer = new WeakMap<Authorizer, Deployer>();
  /** Credentials that gave none, and when to ask again: somebody may edit a deployment without a pause. */
  readonly #failed = new WeakMap<Authorizer, { readonly error: unknown; readonly until: number }>();

  /** `credentials`: of namespaces, without a hold on their Secrets. */
  constructor(credentials: Pick<Credentials, 'credentialFor'>, clock: Pick<Clock, 'monotonic'>) {
    this.#credentials = credentials;
    this.#clock = clock;
  }

  /** A problem, which may pass, where the credential gives no token, or its token does not say it. */
  async of(
    { apiVersion, kind, metadata: { namespace = '', name } }: KubeObject,
    signal: AbortSignal,
  ): Promise<Deployer | { readonly problem: DeploymentProblem }> {
    const problem = (message: string) => ({ problem: { path: 'template.arm.json', message, retryAfterMs: againMs } });
    try {
      const reader: KubeObject = { apiVersion, kind, metadata: { namespace, name } };
      const { credential, source } = await this.#credentials.credentialFor(reader, signal);
      if (!credential) return problem(`deployer() has no value: the credential ${source} does not exist`);
      return await this.#ofCredential(credential, source, signal);
    } catch (error) {
      if (signal.aborted || !(error instanceof AzimuthError)) throw error;
      return problem(`deployer() has no value: ${error.message}`);
    }
  }

  async #ofCredential({ authorizer, cloud }: Credential, source: string, signal: AbortSignal): Promise<Deployer> {
    const former = this.#byAuthorizer.get(authorizer);
    if (former) return former;
    const failed = this.#failed.get(authorizer);
    if (failed && failed.until > this.#clock.monotonic()) throw failed.error;
    try {
      const { token } = await authorizer.getToken({ audience: cloud.resourceManagerAudience, signal });
      const deployer = deployerIn(token);
      if (!deployer) throw new AzimuthError('AZ_AUTH_FAILED', `the token of ${source} does not say whose it is`);
      this.#byAuthorizer.set(authorizer, deployer);
      return deployer;
    } catch (error) {
      if (!signal.aborted) this.#failed.set(authorizer, { error, until: this.#clock.monotonic() + againMs });
      throw error;
    }
  }
}

/** The claims of a token about its identity; undefined for another text. */
function deployerIn(token: string): Deployer | undefined {
  try {
    const { oid: objectId, tid: tenantId } = decodeJwt(token);
    const isGuid = (value: unknown): value is string => typeof value === 'string' && guid.test(value);
    return isGuid(objectId) && isGuid(tenantId) ? { objectId, tenantId } : undefined;
  } catch {
    return undefined;
  }
}
