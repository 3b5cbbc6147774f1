import { attachmentRecordLabel } from '../../api/pod-identity/attachment-record.ts';
import { recordData, recordName, tryParseRecord } from '../../azure/identity/attachment-record.ts';
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

const { name: recordLabel, value: recordValue } = attachmentRecordLabel;
const none: ReadonlySet<string> = new Set();

/**
 * Records which identities the controller attached: one ConfigMap for each machine in the program's own namespace,
 * where no tenant may write. The controller records an identity before the PATCH that attaches it, and removes the
 * record after the PATCH that detached it. It never detaches an identity without a record. The leader is the only
 * writer.
 */
export class AttachmentRecords {
  readonly #client: KubeClient;
  readonly #namespace: string;
  readonly #stored = new Map<string, Stored>();

  constructor(client: KubeClient, namespace: string) {
    this.#client = client;
    this.#namespace = namespace;
  }

  /** Reads all records; the program calls it when it becomes the leader. Throws the API server's errors. */
  async load(signal: AbortSignal): Promise<void> {
    const labelSelector = `${recordLabel}=${recordValue}`;
    const options = { namespace: this.#namespace, labelSelector, signal };
    const { items } = await listAll<ConfigMap>(this.#client, configMapsType, options);
    this.#stored.clear();
    for (const { metadata, data } of items) {
      const record = tryParseRecord(metadata.name, data);
      if (!record) continue;
      const { machine, identities } = record;
      this.#stored.set(machine, { resourceVersion: metadata.resourceVersion, identities });
    }
  }

  /** Identities that the controller attached to the machine, or started to attach. */
  of(machine: string): ReadonlySet<string> {
    return this.#stored.get(machine)?.identities ?? none;
  }

  /** Machines with at least one record. */
  machines(): IterableIterator<string> {
    return this.#stored.keys();
  }

  /** Writes the whole record of a machine. Throws the API server's errors; the former record counts then. */
  async replace(machine: string, identities: ReadonlySet<string>, signal: AbortSignal): Promise<void> {
    const storedRecord = this.#stored.get(machine);
    if (sameSet(storedRecord?.identities ?? none, identities)) return;
    try {
      await this.#write(machine, identities, storedRecord, signal);
    } catch (error) {
      if (!isConflict(error) && !isAlreadyExists(error) && !isNotFound(error)) throw error;
      // A lost answer or a manual edit: the next attempt starts from the stored record.
      await this.load(signal);
      throw new AzimuthError('AZ_KUBE_UNREACHABLE', 'Another write changed the record of attached identities', {
        cause: error,
      });
    }
  }

  async #write(
    machine: string,
    identities: ReadonlySet<string>,
    storedRecord: Stored | undefined,
    signal: AbortSignal,
  ): Promise<void> {
    const key = { namespace: this.#namespace, name: recordName(machine) };
    const version = storedRecord?.resourceVersion;
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
      data: recordData({ machine, identities }),
    };
    const stored = storedRecord
      ? await this.#client.replace(configMapsType, object, { signal })
      : await this.#client.create(configMapsType, object, { signal });
    this.#stored.set(machine, { resourceVersion: stored.metadata.resourceVersion, identities: new Set(identities) });
  }
}

function sameSet(a: ReadonlySet<string>, b: ReadonlySet<string>): boolean {
  return a.size === b.size && [...a].every((each) => b.has(each));
}
