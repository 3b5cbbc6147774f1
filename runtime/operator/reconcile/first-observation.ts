import { bodyFingerprint, parseApplied } from '../../arm-kinds/comparison/applied-record.ts';
import { annotations, finalizer, labels } from '../../arm-kinds/names.ts';
import { hasSecrets } from '../../arm-kinds/secret-value.ts';
import { hasFinalizer } from '../../kube/controller/finalizers.ts';
import type { ObservedState } from '../effects/observation.ts';
import type { ReconcileDeps } from '../effects/reconcile-deps.ts';
import type { ReconcilePlan } from '../effects/reconcile-plan.ts';
import { acquisitionOf } from '../objects/acquisition.ts';
import { isReadyAsIs } from '../objects/conditions.ts';

/** The observed state at the start of a run, from the object's own records, before reading from Azure. */
export function firstObservation(deps: ReconcileDeps, plan: ReconcilePlan): ObservedState {
  const { model, object } = plan;
  return {
    live: undefined,
    finalizerAdded: isRecorded(deps, plan),
    applied: parseApplied(object.metadata.annotations?.[annotations.applied]),
    acquired: acquisitionOf(object),
    adminStored: false,
    wroteToAzure: false,
    putSent: false,
    putAnswer: undefined,
    appliedRecorded: false,
    readyWhen: model.readyWhen(object) === undefined ? true : undefined,
    exported: false,
    renewAt: undefined,
    deleted: false,
    vaultsCleared: false,
    finalizerRemoved: false,
  };
}

/** Whether the object has the finalizer and the records that the effect addFinalizer writes. */
function isRecorded({ records }: ReconcileDeps, plan: ReconcilePlan): boolean {
  const { object, resourceId, credentialSource, resolution, deletion } = plan;
  if (deletion) return true;
  const owner = resolution.owner?.object;
  const {
    ownerReferences = [],
    labels: { [labels.ownerUid]: recorded } = {},
    annotations: objectAnnotations = {},
  } = object.metadata;
  const owned = recorded === owner?.metadata.uid && (!owner || ownerReferences.some(({ uid }) => uid === recorded));
  const marked =
    objectAnnotations[annotations.resourceId] === resourceId &&
    objectAnnotations[annotations.credential] === credentialSource;
  return owned && marked && hasFinalizer(object, finalizer) && records.isIntact(object);
}

/** Whether an object that owns its ARM id is Ready and has no pending requests. */
export function isInSync(plan: ReconcilePlan, { applied }: ObservedState): boolean {
  const { object, waits, resolution, body, declared, deletion } = plan;
  if (deletion || waits.length > 0 || resolution.admin?.task !== undefined || !isReadyAsIs(object)) return false;
  if (object.metadata.annotations?.[annotations.journal] !== undefined) return false;
  const inputs = hasSecrets(body) ? resolution.inputsVersion : '';
  return applied?.body === bodyFingerprint(declared) && applied.inputs === inputs;
}
