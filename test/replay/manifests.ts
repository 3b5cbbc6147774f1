import { type ArmKindDefinition, armKinds, kindOf, resourceOf } from '../../runtime/api/kinds.ts';
import { armBody } from '../../runtime/arm-kinds/body/arm-body.ts';
import { filledPath } from '../../runtime/arm-kinds/body/filled-path.ts';
import { specOf } from '../../runtime/arm-kinds/body/from-arm.ts';
import { valueAt } from '../../runtime/arm-kinds/body/value-path.ts';
import { catalogueModel } from '../../runtime/arm-kinds/catalogue-kind.ts';
import { parentId, tryParseResourceId } from '../../runtime/azure/arm/resource-ids.ts';
import { isObject, type JsonObject } from '../../runtime/base/json.ts';
import type { KubeObject, ResourceType } from '../../runtime/kube/client/types.ts';
import { type Phase, phasesOf, sameBody } from './phases.ts';
import { pathOf, type Recording } from './recording.ts';

/** A spec that makes a recorded body, and the Secrets it refers to: their values by name, under the key `value`. */
interface Inverse {
  readonly spec: JsonObject;
  readonly secrets: Readonly<Record<string, string>>;
}

/** A custom resource that stands for a resource of the recording. */
interface Declared {
  readonly id: string;
  readonly name: string;
  /** Undefined: an ArmResource, as no kind makes these bodies. */
  kind: ArmKindDefinition | undefined;
}

export interface Manifest {
  /** The ARM id. */
  readonly id: string;
  readonly type: ResourceType;
  readonly object: KubeObject;
  readonly secrets: Readonly<Record<string, string>>;
}

/** One thing that the recorded user did, and what came of it. */
export type Step =
  | { readonly do: 'apply'; readonly manifests: readonly Manifest[]; readonly phases: readonly Phase[] }
  | { readonly do: 'delete'; readonly manifests: readonly Manifest[] };

const armResource = resourceOf(kindOf('azimuth.dev', 'ArmResource'));

/**
 * What a user has to apply and delete, in which order, to make the recorded requests. Changes of different resources that
 * follow each other are one step and come in reverse, because the order of applying must not matter.
 */
export function stepsOf(recording: Recording, namespace: string): Step[] {
  const { all, rest } = phasesOf(recording);
  const puts = all.filter(({ method }) => method === 'PUT');
  const declared = declare(puts);
  const factory = new Factory(
    namespace,
    declared,
    new Map(rest.flatMap(({ method, url, responseBody }) => (method === 'POST' ? [[pathOf(url), responseBody]] : []))),
  );
  // What one body shows to have no kind is an ArmResource throughout, and others refer to it as that.
  for (const phase of puts) factory.manifest(phase);
  const steps: Step[] = [];
  const newest = new Map<string, Manifest>();
  const refused = new Set<Step | undefined>();
  for (const phase of all) {
    const key = phase.id.toLowerCase();
    const last = steps.at(-1);
    if (phase.method === 'PUT') {
      const manifest = factory.manifest(phase);
      newest.set(key, manifest);
      const join = last?.do === 'apply' && last.phases.every(({ id }) => id.toLowerCase() !== key);
      if (join) steps.pop();
      const { manifests, phases } = join ? last : { manifests: [], phases: [] };
      steps.push({ do: 'apply', manifests: [manifest, ...manifests], phases: [phase, ...phases] });
      continue;
    }
    const manifest = newest.get(key);
    if (!manifest) continue;
    // A 404 says that the parent went before, together with which it was deleted.
    // A refusal says that the recorded user deleted what hinders it before that was over.
    const hindered = refused.has(last);
    const join = last?.do === 'delete' && (hindered || phase.answers.every(({ status }) => status === 404));
    if (join) steps.pop();
    const step: Step = { do: 'delete', manifests: [...(join ? last.manifests : []), manifest] };
    if (phase.answers.some(({ status }) => status === 409)) refused.add(step);
    // Azure had it after its owner had gone. Kubernetes deletes it with the owner, so the user deletes it before.
    const owner = (manifest.object['spec'] as { owner?: { name?: unknown } }).owner?.name;
    const isAbove = ({ id, object }: Manifest) =>
      object.metadata.name === owner || key.startsWith(`${id.toLowerCase()}/`);
    const begun = steps.findLastIndex((each) => each.do === 'apply' && each.manifests.includes(manifest));
    const before = steps.findIndex(
      (each, index) => index > begun && each.do === 'delete' && each.manifests.some(isAbove),
    );
    if (before >= 0 && !join) steps.splice(before, 0, step);
    else steps.push(step);
  }
  return steps;
}

function declare(puts: readonly Phase[]): Map<string, Declared> {
  const declared = new Map<string, Declared>();
  const names = new Set<string>();
  for (const { id, apiVersion } of puts) {
    const key = id.toLowerCase();
    if (declared.has(key)) continue;
    const words = (id.split('/').at(-1) ?? '').toLowerCase().match(/[a-z0-9]+/g) ?? ['x'];
    const plain = words.join('-').slice(0, 50).replace(/-$/, '');
    let name = plain;
    for (let count = 2; names.has(name); count++) name = `${plain}-${count}`;
    names.add(name);
    const type = tryParseResourceId(id)?.type.toLowerCase();
    const kind = armKinds.find(
      ({ arm }) => arm.armType.toLowerCase() === type && Object.values(arm.apiVersions).includes(apiVersion),
    );
    declared.set(key, { id, name, kind });
  }
  // An alias makes a subscription, in which its children are.
  for (const { id, answers } of puts) {
    const scopes = answers.map(({ responseBody }) => childScope(declared.get(id.toLowerCase())?.kind, responseBody));
    for (const scope of scopes)
      if (scope !== undefined) declared.set(scope, declared.get(id.toLowerCase()) as Declared);
  }
  return declared;
}

/** Where the children of a resource are that are not below its own id, in lower case. */
function childScope(kind: ArmKindDefinition | undefined, body: unknown): string | undefined {
  const path = kind?.arm.childScope;
  if (kind === undefined || path === undefined || !isObject(body)) return undefined;
  return filledPath(path, catalogueModel(kind).status(body))?.toLowerCase();
}

class Factory {
  readonly #namespace: string;
  readonly #declared: ReadonlyMap<string, Declared>;
  /** The answers of the actions that were called, by path. */
  readonly #actions: ReadonlyMap<string, unknown>;

  constructor(namespace: string, declared: ReadonlyMap<string, Declared>, actions: ReadonlyMap<string, unknown>) {
    this.#namespace = namespace;
    this.#declared = declared;
    this.#actions = actions;
  }

  manifest(phase: Phase): Manifest {
    const declared = this.#declared.get(phase.id.toLowerCase()) as Declared;
    const body = isObject(phase.body) ? phase.body : {};
    const { kind } = declared;
    if (kind) {
      const version = versionFor(kind, phase.apiVersion);
      const secrets: Record<string, string> = {};
      const secret = (path: string, value: string) => {
        const name = `${declared.name}-${path}`.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-');
        secrets[name] = value;
        return { name, key: 'value' };
      };
      const { spec, inputs } = specOf(kind.arm, version, body, { refer: (id) => this.#refer(id), secret });
      const makes = (each: JsonObject) => sameBody(armBody(kind.arm, version, each, inputs), body);
      if (makes(spec)) return this.#ofKind(declared, kind, version, { spec: withoutTwins(kind, spec, makes), secrets });
      declared.kind = undefined;
    }
    return this.#ofAnyType(declared, phase, body);
  }

  #ofKind({ id, name }: Declared, kind: ArmKindDefinition, version: string, inverse: Inverse): Manifest {
    const { arm } = kind;
    const spec: JsonObject = { ...inverse.spec };
    if (arm.azureNameFixed === undefined) spec['azureName'] = id.split('/').at(-1);
    if (arm.owner) {
      const armId = parentId(id) ?? '';
      const owner = this.#refer(armId);
      const known = arm.owner.kinds.includes(String(owner['kind']));
      spec['owner'] = arm.owner.extension ? owner : known ? { name: owner['name'] } : { armId };
    }
    const { secretSource } = arm;
    const action = secretSource?.action?.path;
    const answer = this.#actions.get(`${id}/${action}`.toLowerCase());
    if (answer !== undefined) {
      // The rest of what the kind can export is not in this resource.
      const secrets = Object.entries(secretSource?.secrets ?? {}).filter(
        ([, { from, path }]) => from === 'action' && typeof valueAt(answer, path ?? '') === 'string',
      );
      const exported = secrets.map(([key]) => [key, { name: `${name}-exported`, key }] as const);
      spec['operatorSpec'] = { secrets: Object.fromEntries(exported) };
    }
    const type = { ...resourceOf(kind), version };
    return { id, type, object: this.#object(type, name, spec), secrets: inverse.secrets };
  }

  #ofAnyType({ id, name }: Declared, { apiVersion }: Phase, { name: _, ...body }: JsonObject): Manifest {
    const parent = this.#refer(parentId(id) ?? '');
    const spec = {
      type: `${tryParseResourceId(id)?.type}@${apiVersion}`,
      azureName: id.split('/').at(-1),
      body,
      ...(parent['armId'] === undefined ? { owner: parent } : { scope: parent['armId'] }),
    };
    return { id, type: armResource, object: this.#object(armResource, name, spec), secrets: {} };
  }

  #object(type: ResourceType, name: string, spec: JsonObject): KubeObject {
    const { group, version, kind } = type;
    return { apiVersion: `${group}/${version}`, kind, metadata: { namespace: this.#namespace, name }, spec };
  }

  /** By name where the resource is declared too, so that waiting for it is part of the play. */
  #refer(armId: string): JsonObject {
    const found = this.#declared.get(armId.toLowerCase());
    if (!found) return { armId };
    const { group, kind } = found.kind ?? armResource;
    return { group, kind, name: found.name };
  }
}

/** An older version may have a field of its own for what others have elsewhere: its spec has one of them. */
function withoutTwins({ arm }: ArmKindDefinition, spec: JsonObject, makes: (spec: JsonObject) => boolean): JsonObject {
  const { properties = {} } = arm.fields;
  if (!Object.keys(spec).some((name) => properties[name]?.onlyIn)) return spec;
  return Object.keys(spec).reduce((kept, name) => {
    const { [name]: _, ...others } = kept;
    return !properties[name]?.onlyIn && makes(others) ? others : kept;
  }, spec);
}

function versionFor({ arm }: ArmKindDefinition, apiVersion: string): string {
  return Object.entries(arm.apiVersions).find(([, value]) => value === apiVersion)?.[0] as string;
}
