import { annotations } from '../../arm-kinds/names.ts';
import { AzimuthError } from '../../base/errors.ts';
import { normalizeText } from '../../base/text/normalize.ts';
import { atLocation } from '../../compute/deployments/substitute.ts';
import { ownerIndex, ownerUids } from '../../kube/cache/indexes.ts';
import type { WatchedCache } from '../../kube/cache/types.ts';
import type { KubeObject, ObjectKey } from '../../kube/client/types.ts';
import { Controller } from '../../kube/controller/controller.ts';
import type { Manager } from '../../kube/controller/manager.ts';
import { objectKeyOf, objectOf, wantedChanged } from '../../kube/controller/mappers.ts';
import type { ProgramKey } from '../../kube/controller/program-key.ts';
import type { EventRecorder } from '../../kube/events/recorder.ts';
import { ApproverNames } from '../approvals/approver-names.ts';
import type { CredentialScopes } from '../credentials/scopes.ts';
import type { KindCaches } from '../objects/kind-caches.ts';
import type { ObjectIndex } from '../objects/object-index.ts';
import { ChildAccess } from './child-access.ts';
import { Children, keyParts } from './children.ts';
import { CurrentRuns } from './current-run.ts';
import { DeploymentReconciler } from './deployment-reconciler.ts';
import { Expansions, type GroupOf } from './expansions.ts';
import { type ApprovalObject, Approvals, approvalType, runIndex, runKeysOf } from './gates/approvals.ts';
import { Checks } from './gates/checks.ts';
import { JobChecks } from './gates/job-check.ts';
import { MonitorMetrics } from './gates/monitor-metrics.ts';
import { WaveGates } from './gates/wave-gates.ts';
import { DeploymentOutputs } from './outputs/deployment-outputs.ts';
import { VaultValues, type VaultValuesDeps } from './outputs/vault-values.ts';
import { TemplateRounds } from './rounds/template-rounds.ts';
import { RunDriver } from './run-driver.ts';
import { RunLoader } from './run-loader.ts';
import { RunStore } from './run-store.ts';
import { RunRecords } from './runs/run-records.ts';
import { deploymentIndex, deploymentType, projectRun, type RunObject, Runs, runType } from './runs/runs.ts';
import { createSources } from './sources/create-sources.ts';
import type { RegistryRule } from './sources/registry-rules.ts';
import { AllowedTargets, type TargetRule } from './targets/allowed-targets.ts';
import { TemplateAnswers, type TemplateAnswersDeps } from './template-answers.ts';

/** Dependencies of the controller of ComputeDeployments. */
export interface DeploymentsDeps {
  readonly manager: Manager;
  readonly events: EventRecorder;
  /** The operator's key, which signs the records of runs. */
  readonly key: ProgramKey;
  /** Of the kinds that deployments may make. */
  readonly caches: KindCaches;
  /** The objects of the operator, authenticated. */
  readonly objects: Pick<ObjectIndex, 'get'>;
  /** Tenant of the operator's credential; undefined where it is not known. */
  readonly tenantId: string | undefined;
  /** How Azure's answers for templates are read. */
  readonly answers: Pick<TemplateAnswersDeps, 'arm' | 'credentials' | 'outsideCredentials' | 'scopes' | 'values'> & {
    readonly scopes: Pick<CredentialScopes, 'bounds'>;
  };
  /** How values of vaults are read for outputs. */
  readonly vaultValues: Omit<VaultValuesDeps, 'values'>;
  /** Empty: all. */
  readonly namespaces: readonly string[];
  /** Whether namespaces do not trust each other: deployments then have the rights of a service account. */
  readonly multiTenant: boolean;
  /** Whether Azure refused the last try for the object with this uid. */
  readonly isRefused: (uid: string) => boolean;
  /** What gates may ask and make. */
  readonly gates: {
    readonly targets: readonly TargetRule[];
    readonly apiServers: readonly string[];
    /** Whether they may make Jobs. */
    readonly jobs: boolean;
    /** Reconciles an object of the operator again. */
    readonly readAgain: (group: string, kind: string, key: ObjectKey) => void;
  };
  /** Registries from which templates may come. */
  readonly templateRegistries: readonly RegistryRule[];
  /** Milliseconds after which outputs are read again; undefined for never. */
  readonly outputsResyncMs: number | undefined;
  /** Concurrent reconcile runs. */
  readonly workers: number;
  /** Counts a status for which its deployment has no room. */
  readonly statusTooLarge: () => void;
}

/** Finds the resource group of a location by the name of its object, or takes the ARM id that the deployment gives. */
function groupFinder(objects: Pick<ObjectIndex, 'get'>, tenantId = ''): GroupOf {
  return (namespace, location, { name, armId }) => {
    if (name === undefined) return { groupId: atLocation(armId ?? '', location), tenantId };
    const groupName = atLocation(name, location);
    const group = objects.get('resources.azure.com', 'ResourceGroup', { namespace, name: groupName });
    const groupId = group?.metadata.annotations?.[annotations.resourceId];
    if (groupId !== undefined) return { groupId, groupName, tenantId };
    const message = `The ResourceGroup ${groupName} has no ARM id yet: create it, or correct template.arm.owner`;
    throw new AzimuthError('AZ_REFERENCE_MISSING', message, { retryAfterMs: 10_000 });
  };
}

/** Changes of objects are handled together: one deployment has hundreds that change in the same second. Milliseconds. */
const collectMs = 200;

/** Deployments have large specs: the cache holds the metadata, which shows that one has changed. */
function projectDeployment({ apiVersion, kind, metadata }: KubeObject): KubeObject {
  const { managedFields: _, annotations: __, ...kept } = metadata;
  return { apiVersion, kind, metadata: kept };
}

/** The caches of deployments, their runs and the approvals of these. */
interface DeploymentCaches {
  readonly deployments: WatchedCache;
  readonly runs: WatchedCache<RunObject>;
  readonly approvals: WatchedCache<ApprovalObject>;
}

/** Enqueues a deployment by its namespace and name. */
type Enqueue = (namespace: string | undefined, name: string) => void;

/** Adds the controller of ComputeDeployments to a manager. */
export function addDeployments(deps: DeploymentsDeps): void {
  const { manager, events, key, caches: kinds, workers, objects } = deps;
  const { runtime, termCaches } = manager;
  const { client, clock } = runtime;
  const caches = watchDeployments(manager, deps.namespaces);
  const runs = new Runs(client, caches.runs, new RunRecords(key), { clock, termCaches });
  const access = new ChildAccess(client, clock, deps.multiTenant);
  const children = new Children(client, kinds, termCaches, access, deps.isRefused);
  const expansions = new Expansions({ groups: groupFinder(objects, deps.tenantId), clock });
  const store = new RunStore(client, runs, clock);
  const answers = new TemplateAnswers({ ...deps.answers, objects, children, access });
  const rounds = new TemplateRounds({ answers, expansions, children, runs, clock });
  const shared = { runtime, runs, store, expansions, children };
  const sources = createSources({ client, clock, access, ...sourceSettingsOf(deps) });
  const current = new CurrentRuns({ ...shared, ...sources });
  const enqueue: Enqueue = (namespace, name) =>
    controller.enqueue({ ...(namespace !== undefined && { namespace }), name }, { delayMs: collectMs });
  const gates = waveGates(deps, { approvals: caches.approvals, access, children, enqueue });
  const { reconcile } = new DeploymentReconciler({
    runtime,
    events,
    deployments: caches.deployments,
    runs,
    current,
    loader: new RunLoader(shared),
    driver: new RunDriver({ runtime, children, expansions, store, answers, objects, rounds }),
    rounds,
    children,
    store,
    gates,
    outputs: new DeploymentOutputs({
      client,
      access,
      expansions,
      answers,
      vaults: new VaultValues({ ...deps.vaultValues, values: deps.answers.values }),
      clock,
      resyncMs: deps.outputsResyncMs,
    }),
    statusTooLarge: deps.statusTooLarge,
  });
  const controller = new Controller(runtime, {
    name: 'computedeployments.azimuth.dev',
    primary: caches.deployments,
    reconcile,
    filter: wantedChanged,
    concurrency: workers,
    backoff: { initialMs: 500, maxMs: 60_000 },
  });
  manager.addController(controller);
  enqueueOnChanges(caches, kinds, enqueue);
  manager.addEnd(() => {
    gates.close();
    expansions.close();
  });
}

/** Settings of the sources of goals: hosts that they may ask, and credentials. */
function sourceSettingsOf({ answers, gates, templateRegistries: rules }: DeploymentsDeps) {
  const { outsideCredentials: credentials, scopes } = answers;
  return { credentials, scopes, rules, apiServers: gates.apiServers };
}

function watchDeployments(manager: Manager, namespaces: readonly string[]): DeploymentCaches {
  const scope = namespaces.length > 0 ? { namespaces } : {};
  return {
    deployments: manager.watch({ type: deploymentType, project: projectDeployment, ...scope }),
    runs: manager.watch<RunObject>({
      type: runType,
      project: (object) => projectRun(object) as RunObject,
      indexes: { [deploymentIndex]: ({ metadata, spec }) => [`${metadata.namespace}/${spec?.deployment}`] },
      ...scope,
    }),
    approvals: manager.watch<ApprovalObject>({
      type: approvalType,
      indexes: { [runIndex]: runKeysOf },
      ...scope,
    }),
  };
}

/** The gates between waves: checks that ask services or make Jobs, and approvals of people. */
function waveGates(
  { manager, answers, objects, gates }: DeploymentsDeps,
  {
    approvals,
    access,
    children,
    enqueue,
  }: {
    readonly approvals: DeploymentCaches['approvals'];
    readonly access: ChildAccess;
    readonly children: Children;
    readonly enqueue: Enqueue;
  },
): WaveGates {
  const { client, clock } = manager.runtime;
  return new WaveGates({
    clock,
    children,
    checks: new Checks({
      targets: new AllowedTargets({ rules: gates.targets, apiServers: gates.apiServers }),
      jobs: new JobChecks({ client, access, isAllowed: gates.jobs }),
      metrics: new MonitorMetrics({ ...answers, objects, children, access, clock }),
    }),
    approvals: new Approvals(approvals, new ApproverNames(client)),
    readAgain: (namespace, key) => {
      const { group, kind, name } = keyParts(key);
      gates.readAgain(group, kind, { namespace, name });
    },
    enqueue,
  });
}

/** Enqueues a deployment when one of its objects, runs or approvals changes. */
function enqueueOnChanges({ runs, approvals }: DeploymentCaches, kinds: KindCaches, enqueue: Enqueue): void {
  kinds.onAdded((each) => {
    each.addIndex(ownerIndex, ownerUids);
    each.onChange((change) => {
      const { namespace, ownerReferences = [] } = objectOf(change).metadata;
      const owner = ownerReferences.find(({ kind, controller: controls }) => controls && kind === deploymentType.kind);
      if (owner) enqueue(namespace, owner.name);
    });
  });
  // A request, a cancel, or the deletion of a run; the status of runs is the operator's own.
  runs.onChange((change) => {
    if (change.type === 'updated' && !wantedChanged(change)) return;
    const { metadata, spec } = objectOf(change);
    if (spec?.deployment !== undefined)
      enqueue(objectKeyOf(objectOf(change)).namespace ?? metadata.namespace, spec.deployment);
  });
  approvals.onChange((change) => {
    const { metadata, spec } = objectOf(change);
    const run = runs.get({
      ...(metadata.namespace !== undefined && { namespace: metadata.namespace }),
      name: normalizeText(String(spec?.run)),
    });
    if (run) enqueue(metadata.namespace, run.spec.deployment);
  });
}
