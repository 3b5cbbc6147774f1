import { AzimuthError } from '../../base/errors.ts';
import { isObject, type JsonObject } from '../../base/json.ts';
import type { HttpAnswer } from '../http-call.ts';
import type { ArmMethod, ArmResponse } from '../types.ts';
import { member } from './answer-members.ts';
import { sameResourceId } from './resource-ids.ts';

/** AZ_ARM_ANSWER: a GET was answered with success, but not with the resource or document that was asked for. */
export class UnexpectedAnswer extends AzimuthError {
  constructor(path: string, status: number, problem: string) {
    const asked = path.split('?')[0];
    super('AZ_ARM_ANSWER', `GET ${asked} was answered with ${status} and ${problem}, which is not the resource`);
  }
}

/** Headers of which Resource Manager sends one at least, and a proxy none. */
const ownHeaders = ['x-ms-request-id', 'x-ms-correlation-request-id', 'x-ms-routing-request-id'];

/**
 * Why an answer cannot come from Azure Resource Manager; undefined if it can. Of failures only a 404 is checked, as it
 * says that a resource is gone: a gateway on the way has such a page too.
 */
export function answerProblem(method: ArmMethod, { status, headers, text, body }: HttpAnswer): string | undefined {
  const isPage = /^\s*<(!doctype\s+html|html)/i.test(text);
  const isOwn = ownHeaders.some((name) => headers[name] !== undefined);
  if (status === 404 && !isOwn && text.trim() !== '' && (isPage || !isObject(body)))
    return isPage ? 'an HTML page' : 'a text that is no JSON';
  if (status < 200 || status > 299 || text.trim() === '') return undefined;
  if (isPage) return 'an HTML page';
  // A service that accepts an operation may say so in plain text, and an action may have a result of any form.
  if (status === 202 || method === 'POST') return undefined;
  return body === null ? undefined : documentProblem(text, body);
}

/** Why a body is no JSON object, in words that end a sentence; undefined if it is one. */
export function documentProblem(text: string, body: unknown): string | undefined {
  if (text.trim() === '') return 'an empty body';
  if (body === undefined) return 'a body that is no JSON, or JSON that is nested too deep';
  if (Array.isArray(body)) return 'a JSON array';
  return typeof body === 'object' && body !== null ? undefined : `the JSON value ${String(body).slice(0, 20)}`;
}

/**
 * Why a document is not the resource with this ARM id; undefined if it is. `anyName`: Azure may choose the last name, as of
 * resources that exist once in their owner. Recorded answers show that services write a subscription in a way of their own.
 */
export function resourceProblem(body: object, id: string, anyName = false): string | undefined {
  const shown: unknown = (body as Record<string, unknown>)['id'];
  if (typeof shown !== 'string' || shown === '') return 'a document without an id';
  const compared = (text: string) => (anyName ? place(text).slice(0, place(text).lastIndexOf('/')) : place(text));
  const isSame = sameResourceId(compared(shown), compared(id)) || isRoleOfSubscription(body, place(shown), place(id));
  return isSame ? undefined : `the id ${shown.slice(0, 300)}`;
}

/** The resource with this ARM id in the answer to its GET. Throws UnexpectedAnswer for anything else. */
export function resourceIn(answer: Pick<ArmResponse, 'status' | 'body'>, id: string, anyName = false): JsonObject {
  const { status, body } = answer;
  if (!isObject(body)) throw new UnexpectedAnswer(id, status, 'no document');
  const problem = resourceProblem(body, id, anyName);
  if (problem !== undefined) throw new UnexpectedAnswer(id, status, problem);
  return body;
}

/** Azure keeps the role definition of a resource group at the subscription; its assignable scopes name the group. */
function isRoleOfSubscription(body: object, shown: string, asked: string): boolean {
  const [scope = '', name, ...rest] = asked.split(/\/providers\/Microsoft\.Authorization\/roleDefinitions\//i);
  if (name === undefined || rest.length > 0) return false;
  const scopes = member(member(body, 'properties'), 'assignableScopes');
  const isAssignable = Array.isArray(scopes) && scopes.some((each) => sameResourceId(place(String(each)), scope));
  return (
    isAssignable && sameResourceId(shown, `/subscriptions/-/providers/Microsoft.Authorization/roleDefinitions/${name}`)
  );
}

/** An id without its subscription and without a slash at its end. */
const place = (id: string) => id.replace(/^\/?subscriptions\/[^/]+/i, '/subscriptions/-').replace(/\/$/, '');
