import { createHash } from 'node:crypto';
import { tryParseResourceId } from '../../azure/arm/resource-ids.ts';
import { AzimuthError } from '../../base/errors.ts';
import { configMapsType } from '../../kube/client/core-types.ts';
import { listAll } from '../../kube/client/paginate.ts';
import { isAlreadyExists, isConflict, isNotFound } from '../../kube/client/status-error.ts';
import { apiVersionOf, type KubeClient, type KubeObject } from '../../kube/client/types.ts';

interface ConfigMap extends KubeObject {
  data?: Readonly<Record<string, string>>;
}

interface Stored {
  readonly resourceVersion: string | undefined;
  readonly identities: ReadonlySet<string>;
}

/** The label by which the records are found. */
const recordLabel = 'azimuth.dev/record';
const recordValue = 'attachments';
const none: ReadonlySet<string> = new Set();

/**
 * Which identities the controller attached to which machine: one ConfigMap a machine in the program's own namespace,
 * where no tenant may write. An identity is recorded before the PATCH that attaches it, and the record goes after the
 * PATCH that detached it: what is not recorded is never detached. The leader is the only writer.
 */
export class AttachmentRecords {
  readonly #client: KubeClient;
  readonly #namespace: string;
  readonly #stored = new Map<string, Stored>();

  constructor(client: KubeClient, namespace: string) {
    this.#client = client;
    this.#namespace = namespace;
  }

  /** Reads all records; called when the program begins to lead. */
  async load(signal: AbortSignal): Promise<void> {
    const labelSelector = `${recordLabel}=${recordValue}`;
    const options = { namespace: this.#namespace, labelSelector, signal };
    const { items } = await listAll<ConfigMap>(this.#client, configMapsType, options);
    this.#stored.clear();
    for (const { metadata, data } of items) {
      const { machine, identities } = parseRecord(data);
      // A ConfigMap of another name is somebody's copy.
      if (machine === undefined || metadata.name !== recordName(machine)) continue;
      this.#stored.set(machine, { resourceVersion: metadata.resourceVersion, identities });
    }
  }

  /** Identities that the controller attached to the machine, or was about to when it ended. */
  of(machine: string): ReadonlySet<string> {
    return this.#stored.get(machine)?.identities ?? none;
  }

  /** Machines with at least one record. */
  machines(): IterableIterator<string> {
    return this.#stored.keys();
  }

  /** Stores the whole record of a machine. Throws what the API server answers; then nothing counts as recorded. */
  async replace(machine: string, identities: ReadonlySet<string>, signal: AbortSignal): Promise<void> {
    const known = this.#stored.get(machine);
    if (sameSet(known?.identities ?? none, identities)) return;
    try {
      await this.#write(machine, identities, known, signal);
    } catch (error) {
      if (!isConflict(error) && !isAlreadyExists(error) && !isNotFound(error)) throw error;
      // An answer that was lost, or an edit by hand: the next try goes on from what is stored.
      await this.load(signal);
      throw new AzimuthError('AZ_KUBE_UNREACHABLE', 'The record of attached identities was changed meanwhile', {
        cause: error,
      });
    }
  }

  async #write(
    machine: string,
    identities: ReadonlySet<string>,
    known: Stored | undefined,
    signal: AbortSignal,
  ): Promise<void> {
    const key = { namespace: this.#namespace, name: recordName(machine) };
    const version = known?.resourceVersion;
    if (identities.size === 0) {
      await this.#client.delete(configMapsType, key, {
        preconditions: { ...(version !== undefined && { resourceVersion: version }) },
        signal,
      });
      this.#stored.delete(machine);
      return;
    }
    const object: ConfigMap = {
      apiVersion: apiVersionOf(configMapsType),
      kind: configMapsType.kind,
      metadata: {
        ...key,
        labels: { [recordLabel]: recordValue },
        ...(version !== undefined && { resourceVersion: version }),
      },
      data: { machine, identities: JSON.stringify([...identities].sort()) },
    };
    const stored = known
      ? await this.#client.replace(configMapsType, object, { signal })
      : await this.#client.create(configMapsType, object, { signal });
    this.#stored.set(machine, { resourceVersion: stored.metadata.resourceVersion, identities: new Set(identities) });
  }
}

/** Name of the ConfigMap: an ARM id is longer than a name may be. */
export function recordName(machine: string): string {
  return `azimuth-attachments-${createHash('sha256').update(machine).digest('hex').slice(0, 32)}`;
}

function parseRecord(data: ConfigMap['data'] = {}): { machine: string | undefined; identities: Set<string> } {
  const { machine = '', identities = '' } = data;
  let list: unknown;
  try {
    list = JSON.parse(identities);
  } catch {
    list = undefined;
  }
  const isId = (id: unknown): id is string => typeof id === 'string' && tryParseResourceId(id) !== undefined;
  if (!isId(machine) || !Array.isArray(list)) return { machine: undefined, identities: new Set() };
  return { machine: machine.toLowerCase(), identities: new Set(list.filter(isId).map((id) => id.toLowerCase())) };
}

function sameSet(a: ReadonlySet<string>, b: ReadonlySet<string>): boolean {
  return a.size === b.size && [...a].every((each) => b.has(each));
}
