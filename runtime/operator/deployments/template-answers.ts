import { randomUUID } from 'node:crypto';
import { armResource } from '../../api/arm/arm-resource.ts';
import { resourceOf, tryKindOf } from '../../api/kinds.ts';
import type { AzureSource } from '../../arm-kinds/inputs.ts';
import { annotations } from '../../arm-kinds/names.ts';
import { withoutSecretMembers } from '../../arm-kinds/secret-value.ts';
import { resourceProblem } from '../../azure/arm/answers.ts';
import { sameResourceId } from '../../azure/arm/resource-ids.ts';
import type { SharedArmClient } from '../../azure/types.ts';
import { AzimuthError } from '../../base/errors.ts';
import { isObject } from '../../base/json.ts';
import type { Answers, NeededAnswer } from '../../compute/deployments/open-values.ts';
import type { KubeObject } from '../../kube/client/types.ts';
import type { ChosenCredential, Credentials } from '../credentials/credentials.ts';
import type { CredentialScopes } from '../credentials/scopes.ts';
import { isReadyAsIs } from '../objects/conditions.ts';
import type { ObjectIndex } from '../objects/object-index.ts';
import type { Resolver } from '../references/resolve.ts';
import type { ChildAccess } from './child-access.ts';
import { type Children, keyParts } from './children.ts';

/** Dependencies of `TemplateAnswers`. */
export interface TemplateAnswersDeps {
  readonly arm: Pick<SharedArmClient, 'send'>;
  /** The objects of the operator, authenticated. */
  readonly objects: Pick<ObjectIndex, 'get'>;
  readonly credentials: Pick<Credentials, 'credentialFor'>;
  /** Of namespaces, for resources outside of a template; without a hold on their Secrets, as no object uses these. */
  readonly outsideCredentials: Pick<Credentials, 'credentialFor'>;
  readonly scopes: Pick<CredentialScopes, 'checkReach'>;
  readonly children: Pick<Children, 'get' | 'checkChange'>;
  readonly access: Pick<ChildAccess, 'check'>;
  /** Reads what Azure lists, with the credential of an object and as far as its namespace may reach. */
  readonly values: (
    object: KubeObject,
    chosen: ChosenCredential,
    context: { readonly correlationId: string; readonly signal: AbortSignal },
  ) => NonNullable<Resolver['values']>;
}

/** A list of Azure about a resource of a template. */
export interface NeededList {
  readonly answer: NeededAnswer;
  readonly list: AzureSource;
}

/** Milliseconds until an answer that is not there yet is read again. */
const retryMs = 5000;
/** The same where another one makes the resource. */
const outsideMs = 30_000;
/** Characters of the answers of one read, which are in memory together. */
const maxCharacters = 1_048_576;

/**
 * Reads Azure's answers for the bodies of a template. The text is a tenant's, so that an answer is read only about a Ready
 * object that the deployment itself has made and whose change its service account may still ask for, under the ARM id
 * that the operator has recorded for it, and with the credential of that object. Members that are secret by their names are left out, as in the object's status.
 */
export class TemplateAnswers {
  readonly #deps: TemplateAnswersDeps;

  constructor(deps: TemplateAnswersDeps) {
    this.#deps = deps;
  }

  /**
   * The answers by ARM id. Rejects with AZ_REFERENCE_MISSING while a resource has none, with AZ_ACCESS_DENIED where the
   * deployment's side may not have it, with AZ_TERMINAL where the namespace may not reach it or the answers have more
   * than 1,048,576 characters together, and with ArmError where Azure refuses the GET.
   */
  async read(deployment: KubeObject, needed: readonly NeededAnswer[], signal: AbortSignal): Promise<Answers> {
    const answers: Record<string, Answers[string]> = {};
    let characters = 0;
    for (const each of needed) {
      const resource =
        each.key === '' ? await this.#outside(deployment, each, signal) : await this.#one(deployment, each, signal);
      characters += JSON.stringify(resource).length;
      if (characters > maxCharacters) throw new AzimuthError('AZ_TERMINAL', tooLong);
      answers[each.id] = { resource };
    }
    return answers;
  }

  /**
   * The answer about a resource outside of the template, with the credential of the namespace. Whoever may create an
   * ArmResource can have its operator read the same, so that this right decides.
   */
  async #outside(deployment: KubeObject, { id, apiVersion }: NeededAnswer, signal: AbortSignal): Promise<unknown> {
    const { access, outsideCredentials, values } = this.#deps;
    const { apiVersion: version, kind, metadata } = deployment;
    const { namespace = '', name } = metadata;
    await access.check(deployment, { verb: 'create', type: resourceOf(armResource), name }, signal);
    const reader: KubeObject = { apiVersion: version, kind, metadata: { namespace, name } };
    const chosen = await outsideCredentials.credentialFor(reader, signal);
    if (!chosen.credential) throw missing(`The credential of the namespace ${namespace} does not exist`, outsideMs);
    const read = values(reader, chosen, { correlationId: randomUUID(), signal });
    const body = await read({ type: 'azure', path: 'reference', id, apiVersion });
    if (body === undefined) throw missing(`${id} does not exist in Azure, and a name needs its answer`, outsideMs);
    return withoutSecretMembers(body);
  }

  /** The answer of a list function, which is a secret. Rejects as `read`. */
  async list(deployment: KubeObject, { answer, list }: NeededList, signal: AbortSignal): Promise<unknown> {
    const { object, chosen } = await this.#checked(deployment, answer, signal);
    const read = this.#deps.values(object, chosen, { correlationId: randomUUID(), signal });
    const value = await read({ type: 'azure', path: 'outputs', ...list });
    if (value === undefined) throw missing(`${list.id} does not exist in Azure`);
    return value;
  }

  async #one(deployment: KubeObject, needed: NeededAnswer, signal: AbortSignal): Promise<unknown> {
    const { arm, scopes } = this.#deps;
    const { id, key, apiVersion } = needed;
    const { group, kind } = keyParts(key);
    const { object, chosen } = await this.#checked(deployment, needed, signal);
    const { credential, usesOperatorCredential } = chosen;
    if (usesOperatorCredential) scopes.checkReach(object, id);
    const { body } = await arm.send({
      method: 'GET',
      path: id,
      apiVersion,
      authorizer: credential.authorizer,
      correlationId: randomUUID(),
      share: deployment.metadata.namespace ?? '',
      signal,
    });
    const anyName = tryKindOf(group, kind)?.arm?.azureNameFixed !== undefined;
    const problem = isObject(body) ? resourceProblem(body, id, anyName) : 'no document';
    if (problem !== undefined)
      throw new AzimuthError('AZ_ARM_UNREACHABLE', `Azure answered the GET of ${id} with ${problem}`);
    return withoutSecretMembers(body);
  }

  /** The object of a resource and its credential, where the deployment's side may have answers about it. */
  async #checked(deployment: KubeObject, { id, key }: NeededAnswer, signal: AbortSignal) {
    const { objects, credentials, children } = this.#deps;
    const { namespace = '', uid = '' } = deployment.metadata;
    const { group, kind, name } = keyParts(key);
    const child = children.get({ namespace, name }, { group, kind }, uid);
    if (!child || !isReadyAsIs(child)) throw missing(`${key} is not Ready yet, and the template needs its answer`);
    await children.checkChange(child, deployment, signal);
    const object = objects.get(group, kind, { namespace, name });
    const recorded = object?.metadata.annotations?.[annotations.resourceId];
    if (!object || recorded === undefined || !sameResourceId(recorded, id))
      throw missing(`${key} has not the ARM id that the template gives it (${id})`);
    const chosen = await credentials.credentialFor(object, signal);
    const { credential } = chosen;
    if (!credential) throw missing(`The credential of ${key} does not exist`);
    return { object, chosen: { ...chosen, credential } };
  }
}

const tooLong = `The template needs answers of Azure with more than ${maxCharacters} characters: use fewer references`;

function missing(message: string, retryAfterMs = retryMs): AzimuthError {
  return new AzimuthError('AZ_REFERENCE_MISSING', message, { retryAfterMs });
}
