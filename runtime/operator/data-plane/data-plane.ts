import { unescape as unescaped } from 'node:querystring';
import { armKindsOfType } from '../../api/kinds.ts';
import type { DataPlane as DataPlaneData } from '../../api/types.ts';
import { accountModel } from '../../arm-kinds/data-plane/account-models.ts';
import type { ArmModel } from '../../arm-kinds/model.ts';
import { annotations } from '../../arm-kinds/names.ts';
import { revealSecrets, secretTexts } from '../../arm-kinds/secret-value.ts';
import { resourceIn } from '../../azure/arm/answers.ts';
import { ArmError, armErrorInfo } from '../../azure/arm/errors.ts';
import { isGone } from '../../azure/arm/not-found.ts';
import { tryParseResourceId } from '../../azure/arm/resource-ids.ts';
import type { Credential } from '../../azure/identity/credential.ts';
import type { ArmMethod, ArmResponse, SharedArmClient } from '../../azure/types.ts';
import { AzimuthError } from '../../base/errors.ts';
import { isObject, type JsonObject } from '../../base/json.ts';
import { normalizeText } from '../../base/text/normalize.ts';
import { mysqlUsers } from '../../databases/mysql/users.ts';
import { postgresqlRoles } from '../../databases/postgresql/roles.ts';
import { sqlUsers } from '../../databases/sql/users.ts';
import type { KubeObject } from '../../kube/client/types.ts';
import { type DatabaseRoute, databaseAccounts } from './database-accounts.ts';
import { type GraphDeps, SecurityGroups } from './security-groups.ts';
import type { DataPlaneService, OpenService } from './service.ts';

/** The input of a session, which a run has when it first needs the service. */
export interface SessionInput {
  readonly model: ArmModel;
  readonly object: KubeObject;
  readonly credential: Credential;
  readonly correlationId: string;
  /** The body with its secrets wrapped. */
  readonly declared?: JsonObject | undefined;
  readonly signal: AbortSignal;
}

/** The input of a search for the thing to adopt. */
export type LocateInput = Omit<SessionInput, 'declared'>;

interface GroupSpec {
  readonly displayName?: string;
  readonly operatorSpec?: { readonly creationMode?: string };
}

/** The services that have the objects of kinds which are no ARM resources. */
export class DataPlane {
  readonly #arm: Pick<SharedArmClient, 'send'>;
  readonly #services: Readonly<Record<DataPlaneData['service'], OpenService>>;

  /** Of kinds in Microsoft Graph. */
  readonly #groups: SecurityGroups;

  constructor(arm: Pick<SharedArmClient, 'send'>, graph: GraphDeps, route: DatabaseRoute = {}) {
    this.#arm = arm;
    this.#groups = new SecurityGroups(graph);
    const accounts = databaseAccounts(
      { postgresql: postgresqlRoles, mysql: mysqlUsers, sql: sqlUsers },
      route,
      graph.mayWrite,
    );
    this.#services = {
      postgresql: accounts('postgresql'),
      mysql: accounts('mysql'),
      sql: accounts('sql'),
      graph: this.#groups.open,
    };
  }

  /**
   * The session of one run with the service of a kind that has one. Close it after the run. Throws AZ_TERMINAL where
   * the spec names another account than `id`.
   */
  session(data: DataPlaneData, id: string, input: SessionInput): DataPlaneSession {
    const { model, object, credential, declared, signal } = input;
    const spec = (object['spec'] ?? {}) as JsonObject;
    const name = typeof spec['azureName'] === 'string' ? normalizeText(spec['azureName']) : object.metadata.name;
    if (data.service !== 'graph') checkAccount(id, accountModel(data).segment(spec, name));
    const body = isObject(declared) ? (revealSecrets(declared) as JsonObject) : {};
    const service = this.#services[data.service]({
      id,
      object,
      name,
      properties: isObject(body['properties']) ? body['properties'] : {},
      secrets: secretTexts(declared),
      credential,
      correlationId: input.correlationId,
      readArm: (armId) => this.#readArm(armId, input),
      signal,
    });
    return new DataPlaneSession(service, id, model.armType(object), input.correlationId);
  }

  /**
   * The last segment of the id that an object adopts by a property other than its name; undefined where it adopts
   * nothing, and for every service whose objects have names. Throws ArmError, AZ_GROUP_AMBIGUOUS.
   */
  async locate(input: LocateInput): Promise<string | undefined> {
    const { model, object } = input;
    if (model.definition.arm?.dataPlane?.service !== 'graph') return undefined;
    const { displayName, operatorSpec } = (object['spec'] ?? {}) as GroupSpec;
    if (operatorSpec?.creationMode === 'AlwaysCreate' || displayName === undefined) return undefined;
    return this.#groups.locate(input, displayName);
  }

  async #readArm(id: string, { object, credential, correlationId, signal }: SessionInput): Promise<JsonObject> {
    const [kind] = armKindsOfType(tryParseResourceId(id)?.type ?? '');
    const [apiVersion] = Object.values(kind?.arm.apiVersions ?? {});
    if (apiVersion === undefined) throw new AzimuthError('AZ_TERMINAL', `${id} is of no type that has such objects`);
    const share = object.metadata.namespace ?? '';
    const { authorizer } = credential;
    const request = { method: 'GET', path: id, apiVersion, authorizer, correlationId, share, signal } as const;
    return resourceIn(await this.#arm.send(request), id);
  }
}

/** Answers the requests of a run as ARM does, from a service. */
export class DataPlaneSession {
  readonly #service: DataPlaneService;
  readonly #id: string;
  readonly #type: string;
  readonly #correlationId: string;

  constructor(service: DataPlaneService, id: string, type: string, correlationId: string) {
    this.#service = service;
    this.#id = id;
    this.#type = type;
    this.#correlationId = correlationId;
  }

  /** Observes, applies or removes the object. Throws ArmError 404 where it or its parent is absent. */
  async send(method: ArmMethod): Promise<ArmResponse> {
    try {
      if (method === 'DELETE') {
        await this.#service.remove();
        return this.#response(200, undefined);
      }
      if (method === 'PUT') await this.#service.apply();
      const properties = await this.#service.observe();
      if (properties) return this.#response(200, properties);
    } catch (error) {
      // The server is gone, and every account with it.
      if (isGone(error)) throw this.#notFound(method, 'ParentResourceNotFound', error.message);
      throw error;
    }
    throw this.#notFound(method, 'ResourceNotFound', 'it does not exist');
  }

  close(): Promise<void> {
    return this.#service.close();
  }

  #response(status: number, properties: JsonObject | undefined): ArmResponse {
    const body = properties && { id: this.#id, type: this.#type, properties };
    const token = { token: '', expiresOn: 0 };
    const head = { headers: {}, requestId: undefined, correlationId: this.#correlationId, retryAfterMs: undefined };
    return { status, body, token, ...head };
  }

  #notFound(method: ArmMethod, code: string, message: string): ArmError {
    return new ArmError(method, this.#id, armErrorInfo({ status: 404, body: { error: { code, message } } }));
  }
}

/** A service writes to the account that the spec names: nobody may drop one by a change of the name before a deletion. */
function checkAccount(id: string, segment: string): void {
  const lastSegment = id.slice(id.lastIndexOf('/') + 1);
  if (lastSegment.toLowerCase() === segment) return;
  const [made, named] = [lastSegment, segment].map((each) => JSON.stringify(unescaped(each.replaceAll('=', '%'))));
  throw new AzimuthError(
    'AZ_TERMINAL',
    `This object manages the account ${made}, but its spec names ${named} now: set the former name back, or annotate the object with ${annotations.reconcilePolicy}: detach-on-delete to delete it without the account`,
  );
}
