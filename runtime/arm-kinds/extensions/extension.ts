import type { ArmResponse } from '../../azure/types.ts';
import type { JsonObject } from '../../base/json.ts';
import type { KubeObject } from '../../kube/client/types.ts';

/** Requests an extension may make; each write gets a token of its own. */
export interface ExtensionTools {
  readonly resourceId: string;
  readonly subscriptionId: string;
  /** That of the object. */
  readonly apiVersion: string;
  send(method: 'GET' | 'POST', path: string, apiVersion: string): Promise<ArmResponse>;
  /**
   * An action that must be over before the PUT: starts it, or asks once how its operation goes. Throws AZ_ARM_BUSY until it is
   * over, and ArmError where Azure refuses it or it fails.
   */
  complete(path: string, apiVersion: string): Promise<void>;
  /** Like a GET with `send`; undefined for 404. */
  tryGet(path: string, apiVersion: string): Promise<unknown>;
  /** The same of a resource that may have to come to rest first: if this PUT is put off, its operation's end wakes the object. */
  look(path: string, apiVersion: string): Promise<unknown>;
  /** The PUT shall be refused unless the resource still has this ETag; the object is then looked at anew. */
  onlyIf(etag: string): void;
  /** Throws ScopeNotAllowed for an ARM id that the object's namespace may not reach with the operator's credential. */
  checkReach(armId: string): void;
}

/** Behaviour that a kind has beyond its data. */
export interface KindExtension {
  /** The name in Azure where the spec gives none. @default metadata.name */
  defaultName?(object: KubeObject): string;
  /** Last change to the body before its PUT. */
  beforePut?(object: KubeObject, body: JsonObject, tools: ExtensionTools): Promise<JsonObject>;
  /**
   * Writes to it and to its children are sent one at a time, each with the look at Azure before it: what one of them changes,
   * the next one sees.
   */
  readonly takesTurns?: true;
  /** Path in the body of a list that children add to: their items are no difference from what is declared. */
  readonly sharedList?: string;
  /** CEL over `self`, ARM's answer, that must be true before an object is ready. */
  readonly readyWhen?: string;
  /** What `wellKnownName` of a reference is: a built-in role to look up, or a name that goes to ARM as it is. */
  readonly wellKnownNames?: 'roles' | 'as given';
  /** ASO v2 shows this kind's properties as a member of the status, although its body has none. */
  readonly nestedStatus?: boolean;
}
