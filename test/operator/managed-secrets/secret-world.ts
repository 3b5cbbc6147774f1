import { kindOf, resourceOf } from '../../../runtime/api/kinds.ts';
import { type Clock, systemClock } from '../../../runtime/base/clock.ts';
import type { KubeObject } from '../../../runtime/kube/client/types.ts';
import { type Bundle, TestVault } from '../export/test-vault.ts';
import { condition, type RunningOperator, startWorld, types, until, untilReady, type World } from '../support.ts';

export const managedSecrets = resourceOf(kindOf('azimuth.dev', 'ManagedSecret'));
export const registrations = resourceOf(kindOf('azimuth.dev', 'FeatureRegistration'));
export const approvals = resourceOf(kindOf('azimuth.dev', 'FeatureApproval'));

/** The clock of the machine, which a test moves forward. */
export class ShiftedClock implements Clock {
  #offset = 0;
  readonly sleep = systemClock.sleep;

  now(): number {
    return Date.now() + this.#offset;
  }

  monotonic(): number {
    return performance.now() + this.#offset;
  }

  advance(ms: number): void {
    this.#offset += ms;
  }
}

/** How a world of ManagedSecrets starts. */
export interface SecretWorldOptions {
  /** Whether the feature is approved. @default true */
  readonly approve?: boolean;
  /** Settings of the operator. */
  readonly env?: Record<string, string>;
  /** Milliseconds between two reads of instances. @default 30000 */
  readonly instancesReadMs?: number;
  /** Further kinds, as a kind pattern. */
  readonly kinds?: string;
  /** Whether the operator has ComputeDeployments. @default false */
  readonly deployments?: boolean;
}

/** A world with a group `rg`, the feature approved, and vaults. */
export class SecretWorld {
  readonly world: World;
  readonly clock: ShiftedClock;
  operator: RunningOperator;
  #timing: { readonly instancesReadMs?: number } = {};

  private constructor(world: World, clock: ShiftedClock, operator: RunningOperator) {
    this.world = world;
    this.clock = clock;
    this.operator = operator;
  }

  static async start(options: SecretWorldOptions = {}) {
    const clock = new ShiftedClock();
    const { kinds, deployments = false } = options;
    const world = await startWorld({ machineSecrets: true, deployments, clock, ...(kinds !== undefined && { kinds }) });
    const env = options.env ?? {};
    const { instancesReadMs } = options;
    const timing = instancesReadMs === undefined ? {} : { instancesReadMs, settleMs: 500 };
    const made = new SecretWorld(world, clock, await world.startOperator(env, { clock, ...timing }));
    made.#timing = timing;
    await world.apply(types.group, 'rg', { location: 'westeurope' });
    await untilReady(world, types.group, 'rg');
    if (options.approve !== false) await made.approve();
    return made;
  }

  /** Around a world whose operator is another process. */
  static of(world: World): SecretWorld {
    const operator = { stop: async () => undefined } as unknown as RunningOperator;
    return new SecretWorld(world, new ShiftedClock(), operator);
  }

  async close(): Promise<void> {
    await this.world.close();
  }

  async restart(env: Record<string, string> = {}): Promise<void> {
    await this.operator.stop();
    this.operator = await this.world.startOperator(env, { clock: this.clock, ...this.#timing });
  }

  /** Registers the feature and approves it. */
  async approve(): Promise<void> {
    const { subscriptionId: subscription } = this.world.azure;
    const feature = 'azimuth.dev/ManagedSecrets';
    const { client } = this.world;
    await client.apply(registrations, named('FeatureRegistration', 'secrets', { subscription, feature }), apply);
    await client.apply(approvals, named('FeatureApproval', 'owner', { for: { name: 'secrets' } }), apply);
  }

  async withdraw(): Promise<void> {
    await this.world.client.delete(approvals, { name: 'owner' });
  }

  /** A vault of the group `rg` in a region, into which the operator may write. */
  async vault(name: string, location: string): Promise<TestVault> {
    const { tenantId } = this.world.azure;
    await this.world.apply(types.vault, name, {
      location,
      owner: { name: 'rg' },
      properties: {
        tenantId,
        sku: { family: 'A', name: 'standard' },
        enableRbacAuthorization: true,
        enabledForDeployment: true,
      },
    });
    await untilReady(this.world, types.vault, name);
    return TestVault.existing(this.world, name, 'Key Vault Administrator');
  }

  secret(name: string, spec: object, metadata: object = {}): Promise<KubeObject> {
    return this.world.apply(managedSecrets, name, spec, metadata);
  }

  /** Makes the operator read the object now. */
  async poke(name: string): Promise<void> {
    const body = { metadata: { annotations: { 'example.com/poke': String(performance.now()) } } };
    await this.world.client.patch(managedSecrets, { namespace: 'default', name }, { type: 'merge', body });
  }

  /** The object once its condition has the reason. */
  async reason(name: string, reason: string, namespace = 'default', limitMs = 60_000): Promise<KubeObject> {
    return until(
      `ManagedSecret ${name} is ${reason}`,
      async () => {
        const object = await this.world.client.tryGet(managedSecrets, { namespace, name });
        const ready = condition(object);
        return ready?.reason === reason && ready.observedGeneration === object?.metadata.generation && object;
      },
      limitMs,
    );
  }

  ready(name: string): Promise<KubeObject> {
    return this.reason(name, 'Succeeded');
  }

  /** The object once its status has a current version of this number, and every copy with it. */
  async version(name: string, number: number, limitMs = 60_000): Promise<KubeObject> {
    const check = async () => {
      const found = await this.reason(name, 'Succeeded', 'default', limitMs);
      return found['status']?.version === number && found;
    };
    return until(`ManagedSecret ${name} has version ${number}`, check, limitMs);
  }
}

const apply = { fieldManager: 'test', force: true } as const;
/** An object of azimuth.dev without a namespace. */
export const named = (kind: string, name: string, spec: object) => ({
  apiVersion: 'azimuth.dev/v1alpha1',
  kind,
  metadata: { name },
  spec,
});

/** A reference to a Vault object. */
export const vaultRef = (name: string) => ({ group: 'keyvault.azure.com', kind: 'Vault', name });

/** Versions of a secret by the number in their tags, oldest first. */
export async function numbered(vault: TestVault, name: string): Promise<[string | undefined, boolean][]> {
  const found: Bundle[] = (await vault.versions(name)) ?? [];
  return found
    .map(({ tags, attributes }): [string | undefined, boolean] => [tags['azimuth-version'], attributes.enabled])
    .sort(([a = ''], [b = '']) => Number(a) - Number(b));
}
