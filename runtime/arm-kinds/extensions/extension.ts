import type { ArmResponse } from '../../azure/types.ts';
import type { JsonObject } from '../../base/json.ts';
import type { KubeObject } from '../../kube/client/types.ts';
import type { StatusShape } from '../body/shown-body.ts';

/** Requests that an extension may make; each write gets a token of its own. */
export interface ExtensionTools {
  readonly resourceId: string;
  readonly subscriptionId: string;
  /** The API version of the object. */
  readonly apiVersion: string;
  send(method: 'GET' | 'POST', path: string, apiVersion: string): Promise<ArmResponse>;
  /**
   * Runs an action that must end before the object goes on: starts it, or polls its operation once. Throws AZ_ARM_BUSY until it
   * ends, and ArmError where Azure refuses it or it fails.
   */
  complete(path: string, apiVersion: string, body?: unknown): Promise<void>;
  /** The resource with this ARM id; undefined for 404. Throws where Azure answers with anything else. */
  tryResource(id: string, apiVersion: string): Promise<JsonObject | undefined>;
  /** The document of a GET with `send`; undefined for 404. */
  tryGet(path: string, apiVersion: string): Promise<unknown>;
  /**
   * Like `tryGet`, for a resource whose operation may delay this PUT: the end of that operation enqueues the object.
   */
  tryGetAndWatch(path: string, apiVersion: string): Promise<unknown>;
  /** Binds the PUT to this ETag: Azure refuses it if the resource has changed, and the object is reconciled again. */
  onlyIf(etag: string): void;
  /** Throws ScopeNotAllowed for an ARM id that the object's namespace may not reach with the operator's credential. */
  checkReach(armId: string): void;
}

/** Rules of a kind besides its data. */
export interface KindExtension {
  /** The name in Azure where the spec gives none. @default metadata.name */
  defaultName?(object: KubeObject): string;
  /** Last change to the body before its PUT. */
  beforePut?(object: KubeObject, body: JsonObject, tools: ExtensionTools): Promise<JsonObject>;
  /** Path in the body of a list that children add to: their items are no difference from the declared body. */
  readonly sharedList?: string;
  /** CEL over `self`, ARM's answer, that must be true before an object is Ready. */
  readonly readyWhen?: string;
  /** Called with ARM's answer when `readyWhen` is false. Throws the error that names the wait, such as AZ_ARM_BUSY. */
  whenNotReady?(live: JsonObject, tools: Pick<ExtensionTools, 'resourceId' | 'complete'>): Promise<void>;
  /** The meaning of `wellKnownName` in a reference: a built-in role to look up, or a name for ARM as it is. */
  readonly wellKnownNames?: 'roles' | 'as given';
  /** Where ASO v2 shows the `properties` of this kind, or of parts of it, in another place than usual. */
  readonly status?: StatusShape;
}
