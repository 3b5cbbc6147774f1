import { armResource } from '../api/arm/arm-resource.ts';
import type { ArmKindDefinition } from '../api/kinds.ts';
import { storedVersion } from '../api/preferred-version.ts';
import type { KindDefinition } from '../api/types.ts';
import { validate } from '../api/validate.ts';
import { armBody } from '../arm-kinds/body/arm-body.ts';
import { withEnumWords } from '../arm-kinds/body/enum-values.ts';
import { specOf } from '../arm-kinds/body/from-arm.ts';
import { withSpelling } from '../arm-kinds/body/spelling.ts';
import { armDiff } from '../arm-kinds/comparison/arm-diff.ts';
import { kubeNames } from '../arm-kinds/kube-names.ts';
import { ownerOf } from '../arm-kinds/owner-of.ts';
import { normalizeResourceId, parentId, parseResourceId } from '../azure/arm/resource-ids.ts';
import { AzimuthError, messageOf } from '../base/errors.ts';
import { isObject, type JsonObject } from '../base/json.ts';
import type { KubeObject } from '../kube/client/types.ts';
import type { Found, ImportProblem } from './discover.ts';
import { dropProblem } from './drop-problem.ts';
import { bodyWithoutReadOnly } from './read-only.ts';
import { withoutEmpty, withoutSecrets } from './tidy.ts';

/** Metadata that every manifest gets. */
export interface ManifestOptions {
  readonly namespace: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations: Readonly<Record<string, string>>;
}

/** The manifest of one resource. */
export interface ImportedManifest {
  /** The ARM id of the resource, as Azure spells it. */
  readonly id: string;
  readonly definition: KindDefinition;
  readonly object: KubeObject;
}

/** The manifests of an import and the resources without one. */
export interface Manifests {
  readonly manifests: readonly ImportedManifest[];
  readonly problems: readonly ImportProblem[];
}

/**
 * The objects for resources of Azure: applied, they adopt these without a write. Owners and references to
 * resources of the import go by name, others by ARM id. Fields that the schema of the kind does not take are left out,
 * each with a problem; a resource that would be refused without them is left out itself.
 */
export function manifestsOf(found: readonly Found[], options: ManifestOptions): Manifests {
  const names = kubeNames(found.map(({ id, kind = armResource }) => ({ id, group: kind.group, kind: kind.kind })));
  // Whether the schema takes a resource does not depend on how others are named; one that is left out has no name.
  const alone = new Maker(found, names, options, new Set());
  const usable = found.filter((each) => alone.make(each) !== undefined);
  const together = new Maker(usable, names, options, new Set(usable.map(({ id }) => normalizeResourceId(id))));
  const manifests = usable.flatMap((each) => together.make(each) ?? []);
  const left = alone.problems.filter(({ id }) => !usable.some((each) => each.id === id));
  return { manifests, problems: [...left, ...together.problems] };
}

class Maker {
  readonly problems: ImportProblem[] = [];
  readonly #found: ReadonlyMap<string, Found>;
  readonly #names: ReadonlyMap<string, string>;
  readonly #options: ManifestOptions;
  readonly #byName: ReadonlySet<string>;

  constructor(
    found: readonly Found[],
    names: ReadonlyMap<string, string>,
    options: ManifestOptions,
    byName: ReadonlySet<string>,
  ) {
    this.#found = new Map(found.map((each) => [normalizeResourceId(each.id), each]));
    this.#names = names;
    this.#options = options;
    this.#byName = byName;
  }

  /** Whatever Azure shows, one resource does not keep the others from being imported. */
  make(found: Found): ImportedManifest | undefined {
    try {
      return this.#make(found);
    } catch (error) {
      this.problems.push({ id: found.id, message: `not imported: ${messageOf(error)}` });
      return undefined;
    }
  }

  #make(found: Found): ImportedManifest | undefined {
    const { id, kind } = found;
    const definition = kind ?? armResource;
    const object: KubeObject = {
      apiVersion: `${definition.group}/${storedVersion(definition)}`,
      kind: definition.kind,
      metadata: this.#metadata(id),
      spec: kind ? this.#specOfKind(found, kind) : this.#specOfAnyType(found),
    };
    for (let problems = validate(definition, object); problems.length > 0; problems = validate(definition, object)) {
      const [{ path, expected } = { path: '', expected: '' }] = problems;
      const drop = dropProblem(object, path);
      if (!drop) {
        this.problems.push({
          id,
          message: `not imported: the schema of ${definition.kind} wants ${path} to be ${expected}`,
        });
        return undefined;
      }
      // Azure's way to show that a choice is not made.
      if (drop.dropped === '') continue;
      this.problems.push({
        id,
        message: `imported without ${path}, which the schema of ${definition.kind} wants to be ${expected}`,
      });
    }
    // A member that went may leave an empty object, which would declare that there is nothing in it.
    if (kind) object['spec'] = withoutEmpty(kind.arm.fields, object['spec'] as JsonObject);
    this.#noteSecrets(found);
    if (kind) this.#noteDifferences(found, kind, object);
    return { id, definition, object };
  }

  #metadata(id: string): KubeObject['metadata'] {
    const { namespace, labels, annotations } = this.#options;
    return {
      name: this.#names.get(normalizeResourceId(id)) as string,
      namespace,
      ...(Object.keys(labels).length > 0 && { labels: { ...labels } }),
      ...(Object.keys(annotations).length > 0 && { annotations: { ...annotations } }),
    };
  }

  #specOfKind({ id, live }: Found, { arm, ...kind }: ArmKindDefinition): JsonObject {
    const version = storedVersion({ arm, ...kind });
    const { spec } = specOf(arm, version, withoutSecrets(live), { refer: (armId) => this.#refer(armId) });
    const fields = withSpelling(arm.fields, withoutEmpty(arm.fields, spec)) as JsonObject;
    return {
      ...(arm.azureNameFixed === undefined && { azureName: parseResourceId(id).name }),
      ...(arm.owner && { owner: ownerOf(arm.owner, parentOf(id), (armId) => this.#refer(armId)) }),
      ...fields,
    };
  }

  #specOfAnyType({ id, live, apiVersion }: Found): JsonObject {
    const parent = parentOf(id);
    const owner = this.#refer(parent);
    return {
      type: `${parseResourceId(id).type}@${apiVersion}`,
      azureName: parseResourceId(id).name,
      ...('armId' in owner ? { scope: parent } : { owner }),
      body: bodyWithoutReadOnly(withoutSecrets(live)),
    };
  }

  #refer(armId: string): JsonObject {
    const key = normalizeResourceId(armId);
    const found = this.#byName.has(key) ? this.#found.get(key) : undefined;
    if (!found) return { armId };
    const { group, kind } = found.kind ?? armResource;
    return { group, kind, name: this.#names.get(key) };
  }

  /** Notes secret members that are not printed: a change of the resource would be sent without them. */
  #noteSecrets({ id, live, kind }: Found): void {
    const secrets: string[] = [];
    withoutSecrets(kind ? declarable(kind, live) : bodyWithoutReadOnly(live), secrets);
    for (const path of secrets) {
      const message = `imported without ${path}, which looks like a secret: declare it before you change anything, as a change is sent without it`;
      this.problems.push({ id, message });
    }
  }

  /** Should the manifest declare anything that Azure shows differently, applying it would be a write. */
  #noteDifferences({ id, live }: Found, { arm, ...kind }: ArmKindDefinition, object: KubeObject): void {
    const version = storedVersion({ arm, ...kind });
    const { inputs } = specOf(arm, version, withoutSecrets(live), { refer: (armId) => ({ armId }) });
    const spec: unknown = object['spec'];
    const body = armBody(arm, version, isObject(spec) ? spec : {}, inputs);
    const differences = armDiff(withEnumWords(arm, body), live);
    for (const { path } of differences) {
      this.problems.push({ id, message: `applying the manifest changes ${path} in Azure: check it first` });
    }
  }
}

/** The members that a manifest can declare, in ARM's places. */
function declarable({ arm, ...kind }: ArmKindDefinition, live: JsonObject): JsonObject {
  const version = storedVersion({ arm, ...kind });
  const { spec, inputs } = specOf(arm, version, live, { refer: (armId) => ({ armId }) });
  return armBody(arm, version, spec, inputs);
}

function parentOf(id: string): string {
  const parent = parentId(id);
  if (parent !== undefined) return parent;
  throw new AzimuthError('AZ_KIND_UNKNOWN', 'it belongs to the tenant itself, where no manifest can place anything');
}
