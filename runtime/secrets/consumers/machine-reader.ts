import { resourceIn } from '../../azure/arm/answers.ts';
import { tryNormalizePath, tryParseResourceId } from '../../azure/arm/resource-ids.ts';
import type { ArmClient, ArmResponse, Authorizer } from '../../azure/types.ts';
import { AzimuthError } from '../../base/errors.ts';
import { isObject } from '../../base/json.ts';

/** The principals of a resource at the endpoint. */
export interface Principals {
  /** Object ids of its identities, lower case. */
  readonly objectIds: ReadonlySet<string>;
  /** ARM ids, in lower case, of the user-assigned identities of a machine by their object ids; empty for an identity. */
  readonly assigned: ReadonlyMap<string, string>;
  /** Ids of the virtual machine, or of the instances of the scale set, lower case; empty for an identity. */
  readonly vmIds: ReadonlySet<string>;
  readonly subscription: string;
}

const computeVersion = '2024-07-01';
const identityVersion = '2023-01-31';
/** A scale set has 1,000 instances at most, and a page has 100 or more of them. */
const mostPages = 20;
const mostIdentities = 100;

type Json = Readonly<Record<string, unknown>>;

/** By type in lower case. */
const types: Readonly<Record<string, 'machine' | 'set' | 'identity'>> = {
  'microsoft.compute/virtualmachines': 'machine',
  'microsoft.compute/virtualmachinescalesets': 'set',
  'microsoft.managedidentity/userassignedidentities': 'identity',
};

/**
 * Reads the principals of a machine, scale set or user-assigned identity from Resource Manager (facts/compute.md 6): tokens
 * for an audience of our own have no resource id, so the object id leads to the machine.
 */
export class MachineReader {
  readonly #arm: Pick<ArmClient, 'send'>;
  readonly #authorizer: Authorizer;

  constructor(arm: Pick<ArmClient, 'send'>, authorizer: Authorizer) {
    this.#arm = arm;
    this.#authorizer = authorizer;
  }

  /**
   * The principals of an ARM id in lower case. `instances`: whether to read the ids of a set's instances too. Throws
   * ArmError, and AZ_TERMINAL for a resource of another type.
   */
  async read(armId: string, instances: boolean, signal: AbortSignal): Promise<Principals> {
    const parsed = tryParseResourceId(armId);
    const kind = parsed?.scope === undefined ? types[parsed?.type.toLowerCase() ?? ''] : undefined;
    const subscription = parsed?.subscriptionId ?? '';
    if (kind === undefined) {
      const expected = 'a virtual machine, a scale set or a user-assigned identity';
      throw new AzimuthError('AZ_TERMINAL', `A consumer is ${expected}, and not ${armId}`);
    }
    const version = kind === 'identity' ? identityVersion : computeVersion;
    const body = resourceIn(await this.#get(armId, version, signal), armId);
    const properties = objectIn(body, 'properties');
    if (kind === 'identity') {
      const objectIds = texts([properties['principalId']]);
      return { objectIds, assigned: new Map(), vmIds: new Set(), subscription };
    }
    const identity = objectIn(body, 'identity');
    const assigned = await this.#assigned(objectIn(identity, 'userAssignedIdentities'), signal);
    const objectIds = new Set([...texts([identity['principalId']]), ...assigned.keys()]);
    if (kind === 'machine') return { objectIds, assigned, vmIds: texts([properties['vmId']]), subscription };
    const flexible = properties['orchestrationMode'] === 'Flexible';
    const vmIds = instances ? await this.#instances(armId, flexible, signal) : new Set<string>();
    return { objectIds, assigned, vmIds, subscription };
  }

  /** By object id. A Flexible set shows no principal ids of its identities. */
  async #assigned(identities: Json, signal: AbortSignal): Promise<Map<string, string>> {
    const assigned = new Map<string, string>();
    for (const [id, each] of Object.entries(identities).slice(0, mostIdentities)) {
      let principalId = isObject(each) ? each['principalId'] : undefined;
      if (typeof principalId !== 'string') {
        const read = this.#get(id, identityVersion, signal).then((answer) => resourceIn(answer, id));
        principalId = objectIn(await read.catch(() => ({})), 'properties')['principalId'];
      }
      for (const objectId of texts([principalId])) assigned.set(objectId, tryNormalizePath(id) ?? id.toLowerCase());
    }
    return assigned;
  }

  async #instances(setId: string, flexible: boolean, signal: AbortSignal): Promise<ReadonlySet<string>> {
    const group = setId.slice(0, setId.indexOf('/providers/'));
    const filter = encodeURIComponent(`'virtualMachineScaleSet/id' eq '${setId}'`);
    let next: string | undefined = flexible
      ? `${group}/providers/Microsoft.Compute/virtualMachines?$filter=${filter}`
      : `${setId}/virtualMachines`;
    const ids: unknown[] = [];
    for (let page = 0; next !== undefined && page < mostPages; page++) {
      const answer: ArmResponse = await this.#get(next, computeVersion, signal);
      const body = isObject(answer.body) ? answer.body : {};
      const value = Array.isArray(body['value']) ? body['value'] : [];
      for (const each of value) if (isObject(each)) ids.push(objectIn(each, 'properties')['vmId']);
      next = typeof body['nextLink'] === 'string' ? body['nextLink'] : undefined;
    }
    return texts(ids);
  }

  async #get(path: string, apiVersion: string, signal: AbortSignal): Promise<ArmResponse> {
    const version = path.startsWith('/') ? { apiVersion } : {};
    return await this.#arm.send({
      method: 'GET',
      path,
      ...version,
      authorizer: this.#authorizer,
      background: true,
      signal,
    });
  }
}

function objectIn(value: Json, member: string): Json {
  const memberValue = value[member];
  return isObject(memberValue) ? memberValue : {};
}

function texts(values: readonly unknown[]): Set<string> {
  return new Set(
    values.filter((each) => typeof each === 'string' && each !== '').map((each) => String(each).toLowerCase()),
  );
}
