import type { Exchange, Reply } from '../exchange.ts';
import { type Refusal, refuse } from '../exchange.ts';
import { type Json, objectOf } from '../json.ts';

/** 400 `Request_BadRequest`: the directory refuses a value. */
export const badRequest = (message: string): Refusal => refuse(400, 'Request_BadRequest', message);

/** 400 `BadRequest`: the request has a form that Graph does not know. */
export const malformed = (message: string): Refusal => refuse(400, 'BadRequest', message);

/** 404 for an object that the directory does not have; `name` is its id or unique name. */
export const notThere = (name: string): Refusal =>
  refuse(
    404,
    'Request_ResourceNotFound',
    `Resource '${name}' does not exist or one of its queried reference-property objects are not present.`,
  );

/** 401 `InvalidAuthenticationToken`. */
export const badToken = (message: string): Refusal =>
  refuse(401, 'InvalidAuthenticationToken', message, {}, { 'www-authenticate': 'Bearer realm=""' });

/** 403: the application lacks a permission. Graph does not say which one. */
export const denied = (): Refusal =>
  refuse(403, 'Authorization_RequestDenied', 'Insufficient privileges to complete the operation.');

/** Adds Graph's data about the request itself: its ids in the headers, and in the `innerError` of an error. */
export function withRequestIds(reply: Reply, exchange: Exchange, requestId: string, now: number): Reply {
  const clientRequestId = exchange.headers['client-request-id'] ?? requestId;
  const headers = { 'request-id': requestId, 'client-request-id': clientRequestId, ...reply.headers };
  const error = objectOf(objectOf(reply.body)['error']);
  if (reply.status < 400 || error['code'] === undefined) return { ...reply, headers };
  const innerError: Json = {
    date: new Date(now).toISOString().slice(0, 19),
    'request-id': requestId,
    'client-request-id': clientRequestId,
  };
  return { ...reply, headers, body: { error: { ...error, innerError } } };
}
