import { kindOf, resourceOf } from '../../../runtime/api/kinds.ts';
import { ArmError, armErrorInfo } from '../../../runtime/azure/arm/errors.ts';
import type { ArmClient, ArmRequest, Authorizer } from '../../../runtime/azure/types.ts';
import { systemClock } from '../../../runtime/base/clock.ts';
import type { KubeClient, KubeObject } from '../../../runtime/kube/client/types.ts';
import { Manager } from '../../../runtime/kube/controller/manager.ts';
import type { FeatureGates } from '../../../runtime/operator/features/feature-gates.ts';
import { addFeatures } from '../../../runtime/operator/features/features.ts';
import { startCluster } from '../../fakes/cluster.ts';
import { runtimeOf } from '../../fakes/kube-objects.ts';

export const registrations = resourceOf(kindOf('azimuth.dev', 'FeatureRegistration'));
export const approvals = resourceOf(kindOf('azimuth.dev', 'FeatureApproval'));
export const subscription = '11111111-1111-1111-1111-111111111111';

/** What Azure answers about features and providers; tests change it. */
export class FeatureArm {
  state = 'NotRegistered';
  providerState = 'NotRegistered';
  locations: string[] = [];
  /** The answer to `register`. */
  registersAs = 'Registering';
  refusal: { status: number; code: string; message: string } | undefined;
  readonly writes: string[] = [];
  readonly paths: string[] = [];

  readonly send = async ({ method, path }: ArmRequest) => {
    this.paths.push(`${method} ${path}`);
    if (this.refusal) {
      const { status, ...error } = this.refusal;
      throw new ArmError(method, path, armErrorInfo({ status, body: { error } }));
    }
    if (method === 'POST') this.writes.push(path.replace(/^\/subscriptions\/[^/]+/, ''));
    if (method === 'POST' && path.includes('/features/')) this.state = this.registersAs;
    else if (method === 'POST') this.providerState = 'Registering';
    const body = path.includes('/features/')
      ? { properties: { state: this.state } }
      : { registrationState: this.providerState, resourceTypes: [{ resourceType: 'x', locations: this.locations }] };
    return { status: 200, headers: {}, body };
  };
}

export interface FeatureWorld {
  readonly client: KubeClient;
  readonly arm: FeatureArm;
  readonly gates: FeatureGates;
  /** Subscriptions whose gate changed, in order. */
  readonly changes: string[];
  register(name: string, feature: string, more?: object): Promise<KubeObject>;
  approve(name: string, forName: string, more?: object): Promise<KubeObject>;
  [Symbol.asyncDispose](): Promise<void>;
}

/** An embedded cluster with the gates' controller; Azure is a `FeatureArm`. */
export async function startFeatureWorld(options: { feature?: string; holders?: number } = {}): Promise<FeatureWorld> {
  const kinds = ['FeatureRegistration', 'FeatureApproval'].map((kind) => kindOf('azimuth.dev', kind));
  const cluster = await startCluster({ kinds });
  const { client } = cluster;
  const arm = new FeatureArm();
  const changes: string[] = [];
  const manager = new Manager({ ...runtimeOf(client), clock: systemClock }, { name: 'features' });
  const authorizer = { description: 'test' } as Authorizer;
  const gates = addFeatures({
    manager,
    arm: arm as unknown as ArmClient,
    authorizer,
    changed: (id) => void changes.push(id),
    holders: () => options.holders ?? 0,
    ...(options.feature !== undefined && { feature: options.feature }),
  });
  const stop = new AbortController();
  const ended = manager.run(stop.signal);
  const make = (kind: string, name: string, spec: object): KubeObject =>
    ({ apiVersion: 'azimuth.dev/v1alpha1', kind, metadata: { name }, spec }) as unknown as KubeObject;
  return {
    client,
    arm,
    gates,
    changes,
    register: (name, feature, more = {}) =>
      client.create(registrations, make('FeatureRegistration', name, { subscription, feature, ...more })),
    approve: (name, forName, more = {}) =>
      client.create(approvals, make('FeatureApproval', name, { for: { name: forName }, ...more })),
    async [Symbol.asyncDispose]() {
      stop.abort();
      await ended;
      await cluster.close();
    },
  };
}
