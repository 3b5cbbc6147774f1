import { type ArmKindDefinition, armKindsOfType } from '../../api/kinds.ts';
import { validate } from '../../api/validate.ts';
import { armBody } from '../../arm-kinds/body/arm-body.ts';
import { specOf } from '../../arm-kinds/body/from-arm.ts';
import { problemSteps, stepInto } from '../../arm-kinds/body/problem-path.ts';
import { withSpelling } from '../../arm-kinds/body/spelling.ts';
import { hashedName } from '../../arm-kinds/kube-names.ts';
import { ownerOf } from '../../arm-kinds/owner-of.ts';
import { parseResourceId } from '../../azure/arm/resource-ids.ts';
import type { JsonObject } from '../../base/json.ts';
import type { KubeObject } from '../../kube/client/types.ts';
import type { ExpandedResource } from '../templates/expand-template.ts';
import { SecretKeyReference, Unknown } from '../templates/values/value.ts';
import { infoOf } from '../templates/values/value-info.ts';
import { isHidden } from './body-secrets.ts';
import { lostPath } from './lost-path.ts';
import { withoutCertificates } from './machine-certificates.ts';
import type { NamedSecret } from './template-manifest.ts';
import type { TokenizedBody } from './tokens.ts';

/** A kind of the catalogue under one served version. */
export interface KindVersion {
  readonly definition: ArmKindDefinition;
  readonly version: string;
}

/** Input for the spec of an object. */
export interface SpecInput {
  readonly resource: Pick<ExpandedResource, 'id' | 'type' | 'apiVersion'>;
  /** ARM id of the resource that it lives in. */
  readonly parent: string;
  readonly tokens: TokenizedBody;
  readonly metadata: KubeObject['metadata'];
  /** `{armId}`, or `{group, kind, name}` of an object. */
  readonly refer: (armId: string) => JsonObject;
  /** Whether the kind is known to take the body; only the form of its references differs then. */
  readonly isChecked: boolean;
}

/** An object whose texts can be those of `tokens`, with the Secrets that it names; or a part that it cannot declare. */
export type TypedObject =
  | { readonly object: KubeObject; readonly secrets: Readonly<Record<string, NamedSecret>> }
  | { readonly refused: string };

/** Kinds that could take a resource, one version for each API version: its own one first, then as the kind lists them. */
export function candidates({ type, apiVersion }: SpecInput['resource']): readonly KindVersion[] {
  return armKindsOfType(type).flatMap((definition) => {
    const sent = new Map<string | undefined, string>();
    for (const { name } of definition.versions) {
      const each = definition.arm.apiVersions[name];
      if (!sent.has(each)) sent.set(each, name);
    }
    const own = sent.get(apiVersion);
    const versions = own === undefined ? sent.values() : new Set([own, ...sent.values()]);
    return [...versions].map((version) => ({ definition, version }));
  });
}

/** The object of a kind for a body, if the kind gives the same body again and its schema takes the object. */
export function typedObject({ definition, version }: KindVersion, input: SpecInput): TypedObject {
  const { arm, group, kind } = definition;
  const { resource, tokens, metadata, parent, refer } = input;
  const { name: azureName } = parseResourceId(resource.id);
  if (arm.azureNameFixed !== undefined && arm.azureNameFixed !== azureName) return { refused: 'the name' };
  const { body, managedSecrets } = withoutCertificates(resource.type, {
    body: tokens.body,
    special: (text) => tokens.special(text),
  });
  const secrets: Record<string, NamedSecret> = {};
  const single = hashedName(metadata.name, `${group}/${kind} secrets`);
  const { spec, inputs } = specOf(arm, version, body, {
    refer,
    secret: (path, value) => {
      const given = tokens.special(value)?.value;
      if (given instanceof SecretKeyReference) return { name: given.name, key: given.key };
      const key = path.replaceAll(/[^\w.-]+/g, '.');
      secrets[single] = { data: { ...secrets[single]?.data, [key]: value }, isMap: false };
      return { name: single, key };
    },
    secretMap: (path, value) => {
      const fits = Object.entries(value).every(([name, each]) => isKey(name) && typeof each === 'string');
      if (!fits) return undefined;
      const whole = wholeSecret(value, tokens);
      if (whole !== undefined) return { name: whole };
      const name = hashedName(metadata.name, `${group}/${kind} ${path}`);
      secrets[name] = { data: value, isMap: true };
      return { name };
    },
  });
  const hidden = input.isChecked ? undefined : hiddenPath(spec, secrets, tokens);
  if (hidden !== undefined) return { refused: hidden };
  const lost = input.isChecked ? undefined : lostPath(body, armBody(arm, version, spec, inputs));
  if (lost !== undefined) return { refused: lost };
  const object: KubeObject = {
    apiVersion: `${group}/${version}`,
    kind,
    metadata,
    spec: {
      ...(arm.azureNameFixed === undefined && { azureName }),
      ...(arm.owner && { owner: ownerOf(arm.owner, parent, refer) }),
      ...(withSpelling(arm.fields, spec) as JsonObject),
      ...(managedSecrets.length > 0 && { operatorSpec: { managedSecrets } }),
    },
  };
  if (input.isChecked) return { object, secrets };
  const problem = validate(definition, object, { strict: true }).find(({ path }) => !isOpen(object, path, tokens));
  return problem ? { refused: `${problem.path}, which must be ${problem.expected}` } : { object, secrets };
}

/** The place of a secret that no field of the spec takes, and no Secret that an object writes can have. */
function hiddenPath(
  spec: JsonObject,
  secrets: Readonly<Record<string, NamedSecret>>,
  tokens: TokenizedBody,
): string | undefined {
  let path: string | undefined;
  tokens.restored(spec, (special) => {
    if (isHidden(special.value) || infoOf(special.value).reference) path ??= special.path;
  });
  for (const { data, isMap } of Object.values(secrets)) {
    for (const [key, text] of Object.entries(data)) {
      const special = tokens.special(text);
      // An answer that is no secret goes into a body as it is; no object writes it into a Secret.
      const isAnswer = special?.value instanceof Unknown && !special.value.isSecret;
      if (special && (isAnswer || infoOf(special.value).reference)) path ??= special.path;
      // An empty text is no secret: it stands in a body as it is.
      if (text === '' && !isMap) path ??= key;
    }
  }
  return path;
}

/** The Secret whose values these are, each under its own key; undefined where it is not one Secret. */
function wholeSecret(value: JsonObject, tokens: TokenizedBody): string | undefined {
  const names = Object.entries(value).map(([key, each]) => {
    const given = tokens.special(each)?.value;
    return given instanceof SecretKeyReference && given.key === key ? given.name : undefined;
  });
  return new Set(names).size === 1 ? names[0] : undefined;
}

const isKey = (name: string) => /^[-._a-zA-Z0-9]{1,253}$/.test(name);

/** Whether the value at the path is not known yet, or hidden, so that the schema says nothing about it. */
function isOpen(object: object, path: string, tokens: TokenizedBody): boolean {
  const value = problemSteps(path).reduce<unknown>(stepInto, object);
  return tokens.special(value) !== undefined;
}
