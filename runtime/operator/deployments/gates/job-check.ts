import { operatorName } from '../../../arm-kinds/names.ts';
import { AzimuthError } from '../../../base/errors.ts';
import { isObject, jsonHash } from '../../../base/json.ts';
import { deploymentLabel } from '../../../compute/deployments/labels.ts';
import { atLocation } from '../../../compute/deployments/substitute.ts';
import { isAlreadyExists } from '../../../kube/client/status-error.ts';
import type { KubeClient, KubeObject, ResourceType } from '../../../kube/client/types.ts';
import type { ChildAccess } from '../child-access.ts';
import { labelOf, ownerOf } from '../runs/runs.ts';
import type { CheckPlace, Try } from './check-place.ts';

const jobs: ResourceType = { group: 'batch', version: 'v1', plural: 'jobs', kind: 'Job', namespaced: true };
/** The run and wave of a Job; one of another run is nobody's result. */
const placeAnnotation = 'azimuth.dev/gate';

/** Dependencies of `JobChecks`. */
export interface JobCheckDeps {
  readonly client: Pick<KubeClient, 'create' | 'tryGet'>;
  readonly access: Pick<ChildAccess, 'accountOf' | 'check'>;
  /** Whether the operator may make Jobs (`--gate-jobs`). */
  readonly isAllowed: boolean;
}

/** Checks that are Jobs: the operator makes them where the service account of the deployment may, and reads their end. */
export class JobChecks {
  readonly #deps: JobCheckDeps;

  constructor(deps: JobCheckDeps) {
    this.#deps = deps;
  }

  /** Makes the Job, or reads how it is. Rejects with AZ_ACCESS_DENIED where the account may not make it. */
  async run(
    check: string,
    spec: object,
    place: CheckPlace & { readonly location: string },
    signal: AbortSignal,
  ): Promise<Try> {
    const { client, access, isAllowed } = this.#deps;
    const { deployment, run, wave, location, since } = place;
    if (!isAllowed) throw new AzimuthError('AZ_TERMINAL', 'the operator makes no Jobs: it lacks --gate-jobs');
    if (access.accountOf(deployment) === undefined) {
      const message = 'a Job needs spec.serviceAccountName, the account that may create Jobs';
      throw new AzimuthError('AZ_TERMINAL', message);
    }
    const { namespace = '', name: owner } = deployment.metadata;
    // Another run of the same name, and a wave that is well again, get a Job of their own.
    const id = `${run.metadata.uid}/${wave}/${check}/${location}/${since}`;
    const name = `${owner.slice(0, 20)}-${check.slice(0, 20)}-${jsonHash(id).slice(0, 10)}`.toLowerCase();
    const found = await client.tryGet(jobs, { namespace, name }, signal);
    if (found) return resultOf(found, id);
    await access.check(deployment, { verb: 'create', type: jobs, name }, signal);
    const job: KubeObject = {
      apiVersion: 'batch/v1',
      kind: 'Job',
      metadata: {
        namespace,
        name,
        labels: labelOf(deploymentLabel, owner),
        annotations: { [placeAnnotation]: id },
        ownerReferences: [{ ...ownerOf(deployment), controller: false }],
      },
      spec: atEachText(spec, location),
    };
    await client.create(jobs, job, { fieldManager: operatorName, signal }).catch((error: unknown) => {
      if (!isAlreadyExists(error)) throw error;
    });
    return { state: 'Trying', message: `the Job ${name} is under way` };
  }
}

function resultOf({ metadata, status }: KubeObject, id: string): Try {
  const { name } = metadata;
  if (metadata.annotations?.[placeAnnotation] !== id) {
    throw new AzimuthError('AZ_TERMINAL', `the Job ${name} is of somebody else: delete it`);
  }
  const conditions = isObject(status) && Array.isArray(status['conditions']) ? status['conditions'] : [];
  const has = (type: string) =>
    conditions.find((each) => isObject(each) && each['type'] === type && each['status'] === 'True');
  if (has('Complete')) return { state: 'Passed', message: '' };
  const failure = has('Failed');
  if (failure)
    return { state: 'Failed', message: `the Job ${name} failed: ${String(failure['message'] ?? '').slice(0, 256)}` };
  return { state: 'Trying', message: `the Job ${name} is under way` };
}

/** The value with `${location}` replaced in each of its texts. */
function atEachText<T>(value: T, location: string): T {
  if (typeof value === 'string') return atLocation(value, location) as T;
  if (Array.isArray(value)) return value.map((item) => atEachText(item, location)) as T;
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, atEachText(item, location)])) as T;
}
