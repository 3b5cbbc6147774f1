import { randomUUID } from 'node:crypto';
import { tryKindOf } from '../../api/kinds.ts';
import { annotations } from '../../arm-kinds/names.ts';
import { withoutSecretMembers } from '../../arm-kinds/secret-value.ts';
import { resourceProblem } from '../../azure/arm/answers.ts';
import { sameResourceId } from '../../azure/arm/resource-ids.ts';
import type { SharedArmClient } from '../../azure/types.ts';
import { AzimuthError } from '../../base/errors.ts';
import { isObject } from '../../base/json.ts';
import type { Answers, NeededAnswer } from '../../compute/deployments/open-values.ts';
import type { KubeObject } from '../../kube/client/types.ts';
import type { Credentials } from '../credentials/credentials.ts';
import type { CredentialScopes } from '../credentials/scopes.ts';
import { isReadyAsIs } from '../objects/conditions.ts';
import type { ObjectIndex } from '../objects/object-index.ts';
import { type Children, keyParts } from './children.ts';

/** Dependencies of `TemplateAnswers`. */
export interface TemplateAnswersDeps {
  readonly arm: Pick<SharedArmClient, 'send'>;
  /** The objects of the operator, authenticated. */
  readonly objects: Pick<ObjectIndex, 'get'>;
  readonly credentials: Pick<Credentials, 'credentialFor'>;
  readonly scopes: Pick<CredentialScopes, 'checkReach'>;
  readonly children: Pick<Children, 'get' | 'checkChange'>;
}

/** Milliseconds until an answer that is not there yet is read again. */
const retryMs = 5000;

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
   * deployment's side may not have it, with AZ_TERMINAL where the namespace may not reach it, and with ArmError where
   * Azure refuses the GET.
   */
  async read(deployment: KubeObject, needed: readonly NeededAnswer[], signal: AbortSignal): Promise<Answers> {
    const answers: Record<string, Answers[string]> = {};
    for (const each of needed) answers[each.id] = { resource: await this.#one(deployment, each, signal) };
    return answers;
  }

  async #one(deployment: KubeObject, { id, key, apiVersion }: NeededAnswer, signal: AbortSignal): Promise<unknown> {
    const { arm, objects, credentials, scopes, children } = this.#deps;
    const { namespace = '', uid = '' } = deployment.metadata;
    const { group, kind, name } = keyParts(key);
    const child = children.get({ namespace, name }, { group, kind }, uid);
    if (!child || !isReadyAsIs(child)) throw missing(`${key} is not Ready yet, and the template needs its answer`);
    await children.checkChange(child, deployment, signal);
    const object = objects.get(group, kind, { namespace, name });
    const recorded = object?.metadata.annotations?.[annotations.resourceId];
    if (!object || recorded === undefined || !sameResourceId(recorded, id))
      throw missing(`${key} has not the ARM id that the template gives it (${id})`);
    const { credential, usesOperatorCredential } = await credentials.credentialFor(object, signal);
    if (!credential) throw missing(`The credential of ${key} does not exist`);
    if (usesOperatorCredential) scopes.checkReach(object, id);
    const { body } = await arm.send({
      method: 'GET',
      path: id,
      apiVersion,
      authorizer: credential.authorizer,
      correlationId: randomUUID(),
      share: namespace,
      signal,
    });
    const anyName = tryKindOf(group, kind)?.arm?.azureNameFixed !== undefined;
    const problem = isObject(body) ? resourceProblem(body, id, anyName) : 'no document';
    if (problem !== undefined)
      throw new AzimuthError('AZ_ARM_UNREACHABLE', `Azure answered the GET of ${id} with ${problem}`);
    return withoutSecretMembers(body);
  }
}

function missing(message: string): AzimuthError {
  return new AzimuthError('AZ_REFERENCE_MISSING', message, { retryAfterMs: retryMs });
}
