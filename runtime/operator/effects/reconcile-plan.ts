import type { BodyPath } from '../../arm-kinds/body/ignored-fields.ts';
import type { ExportPlan } from '../../arm-kinds/export/export-plan.ts';
import type { AdminTask } from '../../arm-kinds/generated-admin-secret.ts';
import type { ArmModel } from '../../arm-kinds/model.ts';
import type { ReconcilePolicy } from '../../arm-kinds/policy.ts';
import type { Credential } from '../../azure/identity/credential.ts';
import { AzimuthError } from '../../base/errors.ts';
import type { JsonObject } from '../../base/json.ts';
import type { Logger } from '../../base/observability/log.ts';
import type { Wait } from '../../engine/index.ts';
import type { KubeObject, ResourceType } from '../../kube/client/types.ts';
import type { ChosenCredential } from '../credentials/credentials.ts';
import type { Published } from '../export/steps.ts';
import type { DeletionPlan } from '../lifecycle/deletion.ts';
import type { PlannedMachine } from '../machines/secret-plan.ts';
import type { CredentialOf } from '../objects/acquisition.ts';
import type { AdoptPolicy } from '../objects/adoption.ts';
import type { Resolution } from '../references/resolve.ts';

/** The part of a plan that the pipelines compare with the observation. */
export interface DesiredState {
  readonly policy: ReconcilePolicy;
  /** The nodes of the graph that the object waits for. */
  readonly waits: readonly Wait[];
  /** The body to compare, secrets wrapped, without the fields left to others; undefined while inputs are missing. */
  readonly body: JsonObject | undefined;
  /** The body with the fields left to others: a change of these is a change of the spec. @default body */
  readonly declared?: JsonObject | undefined;
  /** Fingerprint of the secrets in the body. */
  readonly inputsVersion: string;
  /** Part of a generated administrator that must be stored before the PUT. */
  readonly adminTask?: AdminTask | undefined;
  /** Set only for an object that is being deleted. */
  readonly deletion: DesiredDeletion | undefined;
}

/** The deletion that a plan desires. */
export interface DesiredDeletion {
  /** Why the operator sends no DELETE to Azure; undefined when it sends one. */
  readonly keepReason: string | undefined;
  /** A PUT may be under way that Azure does not show yet. */
  readonly putUnanswered: boolean;
  /** Azure has no DELETE for the type. @default false */
  readonly undeletable?: boolean;
}

/**
 * The desired state and everything else that one reconcile run needs. It is built before the run and never changes.
 */
export interface ReconcilePlan extends DesiredState {
  readonly model: ArmModel;
  readonly type: ResourceType;
  /** The object as read at the start of the run. */
  readonly object: KubeObject;
  readonly adopt: AdoptPolicy;
  /** The upper bound for the object's own adoption policy. */
  readonly adoptBound: AdoptPolicy;
  /** Fields of the body that are left to others once the resource exists. */
  readonly ignored: readonly BodyPath[];
  readonly credential: Credential | undefined;
  /** The `source` of the ChosenCredential. */
  readonly credentialSource: string | undefined;
  readonly usesOperatorCredential: boolean;
  readonly credentialOf: CredentialOf;
  readonly resolution: Resolution;
  /** ARM id; undefined while the owner is unknown. */
  readonly resourceId: string | undefined;
  /** The Secrets, ConfigMaps and vault secrets to write; empty for a deletion. */
  readonly exports: ExportPlan;
  /** Of a machine with ManagedSecrets: their plan, once all of them are there. */
  readonly machine?: PlannedMachine | undefined;
  /** The keys that a rotation under way publishes. */
  readonly publishedKeys: Published;
  readonly correlationId: string;
  readonly log: Logger;
  readonly signal: AbortSignal;
}

/** A correlation id, which goes to Entra ID, ARM and Key Vault, and a logger whose lines carry it. */
export type Trace = Pick<ReconcilePlan, 'correlationId' | 'log'>;

/** A plan, and the credential that was chosen for it. */
export interface Prepared {
  readonly plan: ReconcilePlan;
  readonly chosen: ChosenCredential | undefined;
}

/** A plan for a deletion, and the effect of the deletion on Azure. */
export interface PreparedDeletion extends Prepared {
  readonly deletionPlan: DeletionPlan;
}

/** Why there is no plan: the spec or the credential is invalid, and a person must fix it first. */
export interface Unprepared {
  readonly failed: unknown;
}

/** Returns an error in the object's own input as the failure of the plan; throws any other error. */
export function unprepared(error: unknown, { log }: Trace, signal: AbortSignal): Unprepared {
  if (signal.aborted || !(error instanceof AzimuthError) || error.code.startsWith('AZ_KUBE')) throw error;
  log.warn({ code: error.code, error: error.message }, 'the object cannot be prepared');
  return { failed: error };
}
