import type { Credential } from '../../azure/identity/credential.ts';
import type { JsonObject } from '../../base/json.ts';
import type { KubeObject } from '../../kube/client/types.ts';

/** The input of one reconcile run for the service of its object. */
export interface DataPlaneContext {
  /** The operator's own id for the object. */
  readonly id: string;
  readonly object: KubeObject;
  /** The name in the service: spec.azureName, or metadata.name. */
  readonly name: string;
  /** The body's properties as declared, with the values of its Secrets: they go to the service and nowhere else. */
  readonly properties: JsonObject;
  /** Texts that no error may repeat. */
  readonly secrets: readonly string[];
  readonly credential: Credential;
  /** Of the reconcile run, for the logs of the service. */
  readonly correlationId: string;
  /** A resource of ARM, read with the credential of the object. Throws ArmError. */
  readonly readArm: (id: string) => Promise<JsonObject>;
  readonly signal: AbortSignal;
}

/**
 * The part of a run that differs by service: the seam between the one reconciler and kinds that are no ARM resources.
 * It connects with the first call, and keeps one connection until `close`.
 */
export interface DataPlaneService {
  /** The properties that the service shows; undefined where it has no such object. */
  observe(): Promise<JsonObject | undefined>;
  /** Creates the object or changes it until it is as declared. */
  apply(): Promise<void>;
  /** Removes the object; an absent one is no error. */
  remove(): Promise<void>;
  /** Never throws. */
  close(): Promise<void>;
}

/** Makes the service of one run, without a connection yet. */
export type OpenService = (context: DataPlaneContext) => DataPlaneService;
