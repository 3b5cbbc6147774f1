/** Every reason of every kind with conditions, as an object whose program has just reported it. */
import { runStates } from '../../runtime/api/deployments/compute-run.ts';
import { allKinds } from '../../runtime/api/kinds.ts';
import { storedVersion } from '../../runtime/api/preferred-version.ts';
import { reasons } from '../../runtime/arm-kinds/names.ts';
import { endsByItself, type ProblemName, problemTable } from '../../runtime/compute/problems/problem-names.ts';
import { rollReasons } from '../../runtime/compute/rolls/roll-plan.ts';
import { withReady } from '../../runtime/identity/conditions/conditions.ts';
import { type ReadyReason, readyReasons } from '../../runtime/identity/verification/ready-reasons.ts';
import type { KubeObject } from '../../runtime/kube/client/types.ts';
import { readinessOf } from '../../runtime/operator/deployments/run-status.ts';
import { withRunConditions } from '../../runtime/operator/deployments/runs/run-conditions.ts';
import { secretSeverity } from '../../runtime/operator/managed-secrets/report/secret-severity.ts';
import { type Readiness, withReadiness } from '../../runtime/operator/objects/conditions.ts';

/** A reason, and the object with its status. */
export interface ReadinessCase {
  readonly reason: string;
  readonly object: KubeObject;
}

const now = Date.UTC(2026, 0, 1);
const generation = 2;
const message = 'because of this';

/** An object of a kind, named after its reason. */
function object(kind: string, reason: string, status?: object): KubeObject {
  const definition = allKinds.find((each) => each.kind === kind);
  if (!definition) throw new Error(`there is no kind ${kind}`);
  return {
    apiVersion: `${definition.group}/${storedVersion(definition)}`,
    kind,
    metadata: { name: reason.toLowerCase(), namespace: 'default', uid: reason, generation },
    ...(status && { status }),
  };
}

const reported = (kind: string, readiness: Readiness): ReadinessCase => {
  const conditions = withReadiness([], readiness, generation, now);
  return {
    reason: readiness.reason,
    object: object(kind, readiness.reason, { conditions, observedGeneration: generation }),
  };
};

const severities = ['Info', 'Warning', 'Error', undefined] as const;

/** Reasons of the table in docs/guides/managed-secrets.md. */
const secretReasons = [
  reasons.referenceNotFound,
  reasons.scopeNotAllowed,
  reasons.keyVaultAccessDenied,
  'CopyStale',
  'PinnedVersionUnavailable',
  'RenewalPaused',
  'RolloutStopped',
  'NewestVersionDiffers',
  'IssuerInvalid',
  'IssuerRefused',
  'KeySizeInvalid',
  'KeyUnknown',
  'NameTaken',
  'RegionMismatch',
  'RotationNotSupported',
  'SecretRecovered',
  'VaultUnreachable',
  'WaitingForFeature',
];

const features = {
  FeatureRegistration: {
    Registered: undefined,
    Registering: 'Warning',
    ApprovalMissing: 'Warning',
    Duplicate: 'Error',
  },
  FeatureApproval: { InForce: undefined, RegistrationNotFound: 'Warning', ApprovalEnded: 'Error' },
} as const;

/** All cases. */
export function readinessCases(): ReadinessCase[] {
  const identity = (['AzureIdentity', 'AzureIdentityBinding'] as const).flatMap((kind) =>
    (Object.keys(readyReasons) as ReadyReason[]).map((reason): ReadinessCase => {
      const conditions = withReady([], { reason, message }, generation, now);
      return { reason, object: object(kind, reason, { conditions, observedGeneration: generation }) };
    }),
  );
  const resources = Object.values(reasons).flatMap((reason) =>
    severities.map((severity) => reported('StorageAccount', { reason, severity, message })),
  );
  const sets = Object.values(rollReasons).flatMap((reason) =>
    severities.map((severity) => reported('VirtualMachineScaleSet', { reason, severity, message })),
  );
  const machines = (Object.keys(problemTable) as ProblemName[]).map((reason) =>
    reported('VirtualMachine', { reason, severity: endsByItself.has(reason) ? 'Warning' : 'Error', message }),
  );
  const secrets = secretReasons.map((reason) =>
    reported('ManagedSecret', { reason, severity: secretSeverity(reason), message }),
  );
  const runs = runStates.map((state): ReadinessCase => {
    const run = object('ComputeRun', state);
    return { reason: state, object: { ...run, status: withRunConditions(run, { state, message }, now) } };
  });
  const deployments = runStates.map((state) => {
    const recorded = { object: object('ComputeRun', state), record: { reason: 'GoalChanged' } };
    return reported('ComputeDeployment', readinessOf(recorded as never, state, message));
  });
  const approvals = Object.entries(features).flatMap(([kind, table]) =>
    Object.entries(table).map(([reason, severity]) => reported(kind, { reason, severity, message })),
  );
  return [...identity, ...resources, ...sets, ...machines, ...secrets, ...runs, ...deployments, ...approvals];
}

/** How Argo CD and kstatus call a state of the tree. */
export const namesOf = {
  Ready: { argo: 'Healthy', kstatus: 'Current' },
  Failed: { argo: 'Degraded', kstatus: 'Failed' },
  Blocked: { argo: 'Progressing', kstatus: 'InProgress' },
  Reconciling: { argo: 'Progressing', kstatus: 'InProgress' },
} as const;
