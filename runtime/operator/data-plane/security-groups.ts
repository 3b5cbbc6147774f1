import { groupSegment, isUniqueGroupName } from '../../arm-kinds/data-plane/group-names.ts';
import { GraphClient, type GraphOptions } from '../../azure/graph/graph-client.ts';
import {
  changeGroup,
  deleteGroup,
  type Group,
  type GroupKey,
  groupsNamed,
  readGroup,
  upsertGroup,
} from '../../azure/graph/groups.ts';
import { AzimuthError } from '../../base/errors.ts';
import { FairSemaphore } from '../../base/fairness/fair-semaphore.ts';
import type { JsonObject } from '../../base/json.ts';
import type { DataPlaneContext, DataPlaneService, OpenService } from './service.ts';

/** Requests to Graph at a time, of the operator and of one namespace. */
const requestLimits = { total: 8, perKey: 2 } as const;

/** Parts that all runs share. */
export type GraphDeps = Pick<GraphOptions, 'dispatcher' | 'now' | 'mayWrite'>;

/** The groups of Microsoft Entra ID: opens the service of a run, and finds the group that an object would adopt. */
export class SecurityGroups {
  readonly #deps: GraphDeps;
  readonly #places = new FairSemaphore(requestLimits);

  constructor(deps: GraphDeps) {
    this.#deps = deps;
  }

  readonly open: OpenService = (context) => new SecurityGroup(context, this.#client(context), this.#places);

  /**
   * The last segment of the id of the one group that has this display name; undefined where there is none. Throws
   * AZ_GROUP_AMBIGUOUS for several, and ArmError.
   */
  async locate(
    run: Pick<DataPlaneContext, 'object' | 'credential' | 'correlationId' | 'signal'>,
    displayName: string,
  ): Promise<string | undefined> {
    const { namespace = '' } = run.object.metadata;
    const graph = this.#client(run);
    const groups = await this.#places.run(namespace, run.signal, () => groupsNamed(graph, displayName));
    const [group, another] = groups;
    if (another === undefined) return group && groupSegment(group);
    throw new AzimuthError(
      'AZ_GROUP_AMBIGUOUS',
      `The directory has ${groups.length === 10 ? 'ten or more' : groups.length} groups with the display name of spec.displayName: rename the others, or set spec.operatorSpec.creationMode to AlwaysCreate to get another one`,
    );
  }

  #client({ credential, correlationId, signal }: Pick<DataPlaneContext, 'credential' | 'correlationId' | 'signal'>) {
    const { cloud, authorizer } = credential;
    return new GraphClient({ ...this.#deps, cloud, authorizer, correlationId, signal });
  }
}

class SecurityGroup implements DataPlaneService {
  readonly #run: DataPlaneContext;
  readonly #graph: GraphClient;
  readonly #places: FairSemaphore;
  readonly #key: GroupKey;
  /** A group that this run created, which reads may not show yet. */
  #made: Group | undefined;

  constructor(context: DataPlaneContext, graph: GraphClient, places: FairSemaphore) {
    this.#run = context;
    this.#graph = graph;
    this.#places = places;
    const name = context.id.slice(context.id.lastIndexOf('/') + 1);
    this.#key = isUniqueGroupName(name) ? { uniqueName: name } : { id: name };
  }

  async observe(): Promise<JsonObject | undefined> {
    const group = (await this.#atOnce(() => readGroup(this.#graph, this.#key))) ?? this.#made;
    return group && shown(group);
  }

  async apply(): Promise<void> {
    const body = bodyOf(this.#run.properties);
    await this.#atOnce(async () => {
      const key = this.#key;
      const live = await readGroup(this.#graph, key);
      if (live) {
        const changes = differences(body, live);
        if (Object.keys(changes).length > 0) await changeGroup(this.#graph, key, changes);
      } else if ('uniqueName' in key) {
        this.#made = await upsertGroup(this.#graph, key.uniqueName, body);
      } else {
        throw new AzimuthError(
          'AZ_TERMINAL',
          `The group ${key.id}, which this object adopted, is no longer in the directory, and nobody can create a group with its id: delete this object and apply it again to get a new group`,
        );
      }
    });
  }

  async remove(): Promise<void> {
    await this.#atOnce(() => deleteGroup(this.#graph, this.#key));
  }

  async close(): Promise<void> {}

  #atOnce<T>(work: () => Promise<T>): Promise<T> {
    return this.#places.run(this.#run.object.metadata.namespace ?? '', this.#run.signal, work);
  }
}

/** The body for Graph, which makes groups of Microsoft 365 mail-enabled, and refuses that of all others. */
function bodyOf({
  displayName,
  mailNickname,
  description,
  membershipType,
  isAssignableToRole,
}: JsonObject): JsonObject {
  const unified = membershipType === 'assignedm365';
  return {
    displayName,
    mailNickname,
    ...(description !== undefined && { description }),
    groupTypes: unified ? ['Unified'] : [],
    ...(isAssignableToRole === true && { isAssignableToRole }),
    securityEnabled: true,
    mailEnabled: unified,
  };
}

/** The members that differ. Graph refuses the immutable ones among them, and says so. */
function differences(body: JsonObject, live: Group): JsonObject {
  const before = live as unknown as JsonObject;
  const compared = ['displayName', 'mailNickname', 'description', 'groupTypes', 'isAssignableToRole'];
  const differs = (name: string) => name in body && JSON.stringify(body[name]) !== JSON.stringify(before[name]);
  return Object.fromEntries(compared.filter(differs).map((name) => [name, body[name]]));
}

/** The group in the words of the spec, with the members that ASO v2 shows in the status. */
function shown({ id, displayName, mailNickname, description, groupTypes, isAssignableToRole }: Group): JsonObject {
  return {
    entraID: id,
    displayName,
    mailNickname,
    groupEmailAddress: mailNickname,
    ...(description !== null && { description }),
    membershipType: groupTypes.includes('Unified') ? 'assignedm365' : 'assigned',
    isAssignableToRole: isAssignableToRole === true,
  };
}
