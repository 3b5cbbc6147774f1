import { armResource } from '../../api/arm/arm-resource.ts';
import type { ArmModel } from '../../arm-kinds/model.ts';
import { secretTexts } from '../../arm-kinds/secret-value.ts';
import { resourceIn } from '../../azure/arm/answers.ts';
import { ArmError } from '../../azure/arm/errors.ts';
import { isGone, isMethodNotAllowed } from '../../azure/arm/not-found.ts';
import type { Credential } from '../../azure/identity/credential.ts';
import type {
  AccessToken,
  ArmMethod,
  ArmResponse,
  Operation,
  SharedArmClient,
  SharedArmRequest,
} from '../../azure/types.ts';
import { AzimuthError } from '../../base/errors.ts';
import { isObject, type JsonObject } from '../../base/json.ts';
import type { KubeObject } from '../../kube/client/types.ts';
import type { DataPlaneSession } from '../data-plane/data-plane.ts';
import type { Resolution } from '../references/resolve.ts';
import type { ReconcileDeps } from './reconcile-deps.ts';

/** The inputs for the requests of one run. Errors hide the secrets of the body `declared`. */
export interface RequestInput {
  readonly model: ArmModel;
  readonly object: KubeObject;
  readonly credential: Credential | undefined;
  readonly correlationId: string;
  readonly declared?: JsonObject | undefined;
  /** What the object resolved; errors hide the parts of its secrets too. @default nothing */
  readonly resolution?: Pick<Resolution, 'secretParts'>;
  readonly signal: AbortSignal;
}

interface RequestOptions {
  /** @default the one of the object's version */
  readonly apiVersion?: string;
  readonly body?: unknown;
  /** The request fails with 412 if the resource has another ETag. */
  readonly ifMatch?: string | undefined;
}

/** Names of requests other than actions. */
const ownNames: ReadonlySet<string> = new Set(['GET', 'HEAD', 'PUT', 'PATCH', 'POST', 'DELETE', 'POLL']);

/** The ARM requests of one run: one correlation id, one region, one credential. Requests are counted by kind. */
export class ResourceRequests {
  readonly #deps: ReconcileDeps;
  readonly #input: RequestInput;
  /** Whether the run only checks that Azure still has the declared resource. */
  readonly #isCheck: boolean;
  #session: DataPlaneSession | undefined;
  /** The method of the next request that waits for the rate limit no more. */
  #admitted: ArmMethod | undefined;
  /** Secret values that were sent to Azure, which Azure might repeat in an error. */
  readonly secrets: readonly string[];

  constructor(deps: ReconcileDeps, input: RequestInput, isCheck: boolean) {
    this.#isCheck = isCheck;
    this.#deps = deps;
    this.#input = input;
    this.secrets = [...secretTexts(input.declared), ...(input.resolution?.secretParts ?? [])];
  }

  send(method: 'GET' | 'HEAD' | 'POST', path: string, options: RequestOptions = {}): Promise<ArmResponse> {
    const name = method === 'POST' ? (path.split('/').at(-1) ?? method) : method;
    return this.count(name, () => this.perform(this.request(method, path, options)));
  }

  /**
   * The resource with this ARM id. Throws ArmError if there is none, and UnexpectedAnswer for a 200 without a
   * resource.
   */
  async resource(id: string): Promise<JsonObject> {
    const anyName = this.#input.model.definition.arm?.azureNameFixed !== undefined;
    return resourceIn(await this.send('GET', id), id, anyName);
  }

  /** Sends a HEAD, for types without GET. */
  async exists(id: string): Promise<boolean> {
    try {
      await this.send('HEAD', id);
      return true;
    } catch (error) {
      if (isGone(error)) return false;
      // Unknown: the operator does not overwrite a resource that may have another owner.
      if (isMethodNotAllowed(error)) return true;
      throw error;
    }
  }

  /** The body of a GET; undefined if there is no such document. */
  async tryGet(path: string, apiVersion?: string): Promise<JsonObject | undefined> {
    const body = (await this.#tryGet(path, apiVersion))?.body;
    return body === undefined || isObject(body) ? body : {};
  }

  /** The resource with this ARM id; undefined if there is none. Throws UnexpectedAnswer for anything else. */
  async tryResource(id: string, apiVersion?: string): Promise<JsonObject | undefined> {
    const answer = await this.#tryGet(id, apiVersion);
    return answer && resourceIn(answer, id);
  }

  async #tryGet(path: string, apiVersion: string | undefined): Promise<ArmResponse | undefined> {
    try {
      return await this.send('GET', path, apiVersion === undefined ? {} : { apiVersion });
    } catch (error) {
      if (isGone(error)) return undefined;
      throw error;
    }
  }

  /** Polls an operation once, with the token of its write if that is still known. */
  poll(operation: Operation, token?: AccessToken): ReturnType<SharedArmClient['poll']> {
    const { correlationId, signal, object } = this.#input;
    const share = object.metadata.namespace ?? '';
    const caller = { authorizer: this.credential().authorizer, correlationId, share, signal };
    return this.count('POLL', () => this.#deps.arm.poll(operation, { ...caller, ...(token && { token }) }));
  }

  request(method: ArmMethod, path: string, options: RequestOptions = {}): SharedArmRequest {
    const { model, object, correlationId, signal, declared } = this.#input;
    const location = declared?.['location'];
    return {
      method,
      path,
      apiVersion: options.apiVersion ?? model.apiVersion(object),
      authorizer: this.credential().authorizer,
      correlationId,
      share: object.metadata.namespace ?? '',
      signal,
      ...(options.body !== undefined && { body: options.body }),
      ...(options.ifMatch !== undefined && { headers: { 'if-match': options.ifMatch } }),
      ...(this.secrets.length > 0 && { secrets: this.secrets }),
      ...(typeof location === 'string' && { region: location }),
      // A PUT that repairs a difference counts like any other change.
      ...(this.#isCheck && (method === 'GET' || method === 'POST') && { background: true }),
    };
  }

  /** Waits for the rate limit, so that the next request with this method is sent without that wait. */
  async admit(method: 'PUT' | 'DELETE', id: string): Promise<void> {
    if (this.#input.model.definition.arm?.dataPlane) return;
    await this.#deps.arm.admit(this.request(method, id));
    this.#admitted = method;
  }

  /** Sends a request to ARM, or to the service that has the objects of a kind which is no ARM resource. */
  perform(request: SharedArmRequest): Promise<ArmResponse> {
    const { dataPlane } = this.#input.model.definition.arm ?? {};
    if (!dataPlane) {
      const admitted = request.method === this.#admitted;
      if (admitted) this.#admitted = undefined;
      return this.#deps.arm.send({ ...request, admitted });
    }
    const input = { ...this.#input, credential: this.credential() };
    this.#session ??= this.#deps.dataPlane.session(dataPlane, request.path, input);
    return this.#session.send(request.method);
  }

  /** Ends the connection to such a service. */
  async close(): Promise<void> {
    await this.#session?.close();
    this.#session = undefined;
  }

  /**
   * Counts one request under a name such as PUT, POLL or the action's. Actions of an ArmResource count as POST, because
   * tenants write their names, and each would be a series of the metric.
   */
  async count<T>(asked: string, send: () => Promise<T>): Promise<T> {
    const { definition } = this.#input.model;
    const name = definition.kind === armResource.kind && !ownNames.has(asked) ? 'POST' : asked;
    try {
      const result = await send();
      this.#deps.metrics.request(definition, name, String((result as { readonly status?: number }).status ?? 200));
      return result;
    } catch (error) {
      const code = error instanceof AzimuthError ? error.code : 'error';
      this.#deps.metrics.request(definition, name, error instanceof ArmError ? String(error.info.status) : code);
      throw error;
    }
  }

  credential(): Credential {
    const { credential } = this.#input;
    if (!credential) throw new AzimuthError('AZ_REFERENCE_MISSING', 'There is no credential for this object yet');
    return credential;
  }
}
