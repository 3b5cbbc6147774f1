import type { ArmKindDefinition } from '../api/kinds.ts';
import type { ArmKind } from '../api/types.ts';
import { AzimuthError } from '../base/errors.ts';
import { type JsonObject, jsonHash } from '../base/json.ts';
import type { KubeObject } from '../kube/client/types.ts';
import type { AdminInput } from './generated-admin-secret.ts';
import type { ResolvedInputs } from './inputs.ts';
import { annotations } from './names.ts';
import { getPath } from './values/json-object.ts';

const askedFor = (spec: unknown) => {
  const name = getPath(spec, 'operatorSpec.generatedCredentials.name');
  return typeof name === 'string' ? name : undefined;
};

/** The generated administrator as an input: its Secret is watched as that of any password is. */
export function adminInputs({ generatedCredentials }: ArmKind, object: KubeObject): AdminInput[] {
  const name = askedFor(object['spec']);
  if (!generatedCredentials || name === undefined) return [];
  const { login, password: path } = generatedCredentials;
  const asked = object.metadata.annotations?.[annotations.rotateCredentials];
  const request = asked === undefined || asked === '' ? undefined : jsonHash({ rotate: asked });
  return [{ type: 'credentials', path, login, name, request }];
}

/** The spec as it would be if it named the generated administrator. Throws AZ_TERMINAL where there can be none. */
export function withAdmin({ kind, arm }: ArmKindDefinition, spec: JsonObject, inputs: ResolvedInputs): JsonObject {
  const { generatedCredentials } = arm;
  const name = askedFor(spec);
  if (!generatedCredentials || name === undefined) return spec;
  const { login, password, notFor } = generatedCredentials;
  const refuse = (why: string) => new AzimuthError('AZ_TERMINAL', `operatorSpec.generatedCredentials ${why}`);
  if (spec[password] !== undefined) throw refuse(`and ${password} exclude each other`);
  const mode = spec['createMode'];
  if (typeof mode === 'string' && notFor.includes(mode)) {
    throw refuse(`is not for createMode ${mode}: such a ${kind} has the administrator of the one it is made from`);
  }
  return { ...spec, [login]: spec[login] ?? inputs.get(login), [password]: { name } };
}
