import { isNotFound } from '../../runtime/kube/client/status-error.ts';
import type { KubeObject, ResourceType } from '../../runtime/kube/client/types.ts';
import { condition, secrets, types, until, type World } from '../operator/support.ts';
import type { Random } from './random.ts';

const location = 'westeurope';
const limitMs = 240_000;

/** API versions for requests to Azure, by kind. */
const apiVersions = new Map<ResourceType, string>([
  [types.group, '2020-06-01'],
  [types.identity, '2023-01-31'],
  [types.account, '2023-01-01'],
  [types.network, '2024-03-01'],
]);

/** One resource, with its desired state. */
class Member {
  readonly type: ResourceType;
  readonly name: string;
  readonly id: string;
  /** Goals given: specs that differ, each of which is worth one PUT. */
  goals = 0;
  /** Times that it was deleted. */
  deletions = 0;
  leaving = false;
  readonly #spec: object;

  constructor(type: ResourceType, name: string, id: string, spec: object) {
    this.type = type;
    this.name = name;
    this.id = id;
    this.#spec = spec;
  }

  get spec(): object {
    return { ...this.#spec, tags: { goal: String(this.goals) } };
  }
}

export interface ResourceFigures {
  readonly resources: number;
  readonly goals: number;
  /** Goals that no PUT, or more than one, brought into Azure. */
  readonly wrongPuts: readonly string[];
  /** PUTs that Azure took although they changed nothing. */
  readonly repeatedPuts: readonly string[];
  readonly reusedTokens: number;
  /** Objects that did not become Ready. */
  readonly stuck: readonly string[];
  /** Objects that did not go. */
  readonly left: readonly string[];
  /** Resources in Azure after their objects were gone. */
  readonly orphans: readonly string[];
}

/**
 * Resources of four kinds that depend on each other: groups, and in them identities, networks, of which each change is an
 * operation, and storage accounts whose keys are exported. A member is given a new goal only when it has reached its last one, so the number of PUTs is known.
 */
export class ResourceSet {
  readonly members: readonly Member[];
  /** Members that had not reached their goal at the last check. */
  atWork = 0;
  readonly #world: World;
  readonly #random: Random;

  constructor(world: World, size: number, random: Random) {
    this.#world = world;
    this.#random = random;
    const groups = Math.max(1, Math.round(size / 10));
    const under = (group: string) => `/subscriptions/${world.azure.subscriptionId}/resourceGroups/${group}`;
    this.members = Array.from({ length: size }, (_, index) => {
      if (index < groups) return new Member(types.group, `g${index}`, under(`g${index}`), { location });
      const group = `g${index % groups}`;
      const owner = { name: group };
      if (index % 3 === 0) {
        const id = `${under(group)}/providers/Microsoft.Network/virtualNetworks/network${index}`;
        const addressSpace = { addressPrefixes: ['10.0.0.0/16'] };
        return new Member(types.network, `network${index}`, id, { location, owner, addressSpace });
      }
      if (index % 3 === 1) {
        const id = `${under(group)}/providers/Microsoft.ManagedIdentity/userAssignedIdentities/identity${index}`;
        return new Member(types.identity, `identity${index}`, id, { location, owner });
      }
      const name = `a${index}account`;
      const operatorSpec = { secrets: { key1: { name, key: 'key' } } };
      const spec = { location, owner, kind: 'StorageV2', sku: { name: 'Standard_LRS' }, operatorSpec };
      return new Member(
        types.account,
        name,
        `${under(group)}/providers/Microsoft.Storage/storageAccounts/${name}`,
        spec,
      );
    });
  }

  /** Gives every member its first goal, in any order. */
  async apply(): Promise<void> {
    const ranked = this.members.map((member) => ({ member, rank: this.#random.next() }));
    for (const { member } of ranked.sort((a, b) => a.rank - b.rank)) await this.#aim(member);
  }

  /**
   * Goes on while `busy`: whoever is where it should be gets something else to do, which now and then is to go and come
   * back. Groups stay, as all in them would go along.
   */
  async churn(busy: () => boolean): Promise<void> {
    while (busy()) {
      const objects = await this.#objects();
      this.atWork = this.members.filter(({ name }) => !isReady(objects.get(name))).length;
      for (const member of this.members) {
        const object = objects.get(member.name);
        if (!object) {
          member.leaving = false;
          await this.#aim(member);
        } else if (!member.leaving && isReady(object)) {
          if (member.type !== types.group && this.#random.chance(0.1)) await this.#remove(member);
          else await this.#aim(member);
        }
      }
      await new Promise((resolve) => setTimeout(resolve, 500));
    }
    await until(
      'nobody is on the way out',
      async () => {
        const objects = await this.#objects();
        for (const member of this.members) {
          if (objects.has(member.name)) continue;
          member.leaving = false;
          await this.#aim(member);
        }
        return this.members.every(({ leaving }) => !leaving);
      },
      limitMs,
    );
  }

  /** Waits until all are where they should be, then deletes all; says what went wrong on the way. */
  async end(): Promise<ResourceFigures> {
    const stuck = await this.#remaining(async (objects) =>
      this.members.filter(({ name }) => !isReady(objects.get(name))).map(({ name }) => name),
    );
    const exported = new Set(
      (await this.#world.client.list(secrets, { limit: 0 })).items.map(({ metadata }) => metadata.name),
    );
    for (const { type, name } of this.members) {
      if (type === types.account && !exported.has(name)) stuck.push(`${name} (its Secret)`);
    }
    if (this.#world.azure.journal.entries().at(0)?.seq !== 1) {
      throw new Error(
        'Expected the journal to hold all requests of this run; it has forgotten the first ones: choose a smaller run',
      );
    }
    const puts = this.#writes('PUT');
    const wrongPuts = this.members.flatMap(({ id, name, goals }) => {
      const effective = (puts.get(id.toLowerCase()) ?? []).filter((each) => each).length;
      return effective === goals ? [] : [`${name}: ${effective} for ${goals}`];
    });
    const repeatedPuts = this.members.flatMap(({ id, name }) => {
      const repeated = (puts.get(id.toLowerCase()) ?? []).filter((each) => !each).length;
      return repeated === 0 ? [] : [`${name}: ${repeated}`];
    });
    for (const member of this.members) {
      await this.#world.client.delete(member.type, { namespace: 'default', name: member.name }).catch((error) => {
        // Gone with its group, which the cluster's garbage collector saw to.
        if (!isNotFound(error)) throw error;
      });
    }
    const left = await this.#remaining(async (objects) => [...objects.keys()]);
    const orphans: string[] = [];
    for (const { id, name, type } of this.members) {
      const status = await until(
        'Azure is not throttling',
        async () => {
          const answer = await this.#world.portal.arm('GET', id, apiVersions.get(type) ?? '');
          return answer.status === 429 ? undefined : answer.status;
        },
        limitMs,
      );
      if (status !== 404) orphans.push(name);
    }
    return {
      resources: this.members.length,
      goals: this.members.reduce((sum, { goals }) => sum + goals, 0),
      wrongPuts,
      repeatedPuts,
      reusedTokens: this.#world.azure.journal.reusedTokens().length,
      stuck,
      left,
      orphans,
    };
  }

  async #aim(member: Member): Promise<void> {
    member.goals += 1;
    await this.#insist(() => this.#world.apply(member.type, member.name, member.spec));
  }

  async #remove(member: Member): Promise<void> {
    member.leaving = true;
    member.deletions += 1;
    await this.#insist(() => this.#world.client.delete(member.type, { namespace: 'default', name: member.name }));
  }

  /** The API server may be away. */
  async #insist(work: () => Promise<unknown>): Promise<void> {
    await until(
      'the API server takes it',
      () =>
        work().then(
          () => true,
          () => false,
        ),
      180_000,
    );
  }

  async #objects(): Promise<Map<string, KubeObject>> {
    const lists = await until(
      'the API server answers',
      () =>
        Promise.all([...apiVersions.keys()].map((type) => this.#world.client.list(type, { limit: 0 }))).catch(
          () => undefined,
        ),
      180_000,
    );
    return new Map(lists.flatMap(({ items }) => items.map((object) => [object.metadata.name, object] as const)));
  }

  /** What is left of a list that is to become empty, once it is, or when the time is over. */
  async #remaining(check: (objects: Map<string, KubeObject>) => Promise<string[]>): Promise<string[]> {
    let last: string[] = [];
    const empty = async () => {
      last = await check(await this.#objects());
      // A check of all of them costs the machine more than the operator's own work.
      if (last.length > 0) await new Promise((resolve) => setTimeout(resolve, 250));
      return last.length === 0;
    };
    await until('nothing is left', empty, limitMs).catch(() => undefined);
    return last;
  }

  /** By lower-case id, whether each write that Azure took changed something. */
  #writes(method: string): Map<string, boolean[]> {
    const found = new Map<string, boolean[]>();
    for (const { path, status, effective } of this.#world.azure.journal.entries({ service: 'arm', method })) {
      if (!effective && (status === 0 || status >= 300)) continue;
      found.set(path.toLowerCase(), [...(found.get(path.toLowerCase()) ?? []), effective]);
    }
    return found;
  }
}

/** For its newest spec. */
function isReady(object: KubeObject | undefined): boolean {
  const ready = condition(object);
  return ready?.status === 'True' && ready.observedGeneration === object?.metadata.generation;
}
