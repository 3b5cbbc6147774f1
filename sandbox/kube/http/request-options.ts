import type { IncomingMessage } from 'node:http';
import type { Resource } from '../model/resource.ts';
import { invalidOptions } from '../model/status.ts';
import type { Unstructured } from '../model/types.ts';
import type { User } from '../model/user.ts';
import type { DeleteRequest, WriteContext } from '../model/write-request.ts';
import { decodeObject } from './encoding.ts';
import type { Accepted } from './negotiation.ts';
import type { RequestInfo } from './request-info.ts';

/** A request on a resource, as far as it is understood before its body is read. */
export interface ResourceRequest {
  readonly info: RequestInfo & { readonly resource: NonNullable<RequestInfo['resource']> };
  readonly resource: Resource;
  readonly accepted: Accepted;
  readonly headers: IncomingMessage['headers'];
  readonly body: Buffer;
  readonly user: User;
  readonly warnings: string[];
}

/** DeleteOptions, from the body or the query. Throws 400 and 422. */
export function deleteRequest({ info, body, headers }: ResourceRequest): DeleteRequest {
  const sent = body.length > 0 ? (decodeObject(body, headers['content-type'], 'DeleteOptions') as Unstructured) : {};
  const policy = sent['propagationPolicy'] ?? info.query.get('propagationPolicy') ?? undefined;
  if (policy !== undefined && !['Foreground', 'Background', 'Orphan'].includes(policy))
    throw invalidOptions('DeleteOptions', {
      reason: 'FieldValueNotSupported',
      message: `Unsupported value: "${policy}": supported values: "Foreground", "Background", "Orphan", "nil"`,
      field: 'propagationPolicy',
    });
  const orphan = sent['orphanDependents'] ?? undefined;
  const dryRun = sent['dryRun'] ?? info.query.getAll('dryRun');
  return {
    propagationPolicy: policy ?? (orphan === true ? 'Orphan' : undefined),
    preconditions: sent['preconditions'] ?? undefined,
    dryRun: checkDryRun(dryRun, 'DeleteOptions'),
  };
}

/** The options of a write, from the query. `kind` names the options in errors. Throws 422. */
export function writeContext({ info, headers, warnings, user }: ResourceRequest, kind: string): WriteContext {
  const { query } = info;
  const validation = query.get('fieldValidation') || 'Warn';
  if (validation !== 'Ignore' && validation !== 'Warn' && validation !== 'Strict')
    throw invalidOptions(kind, {
      reason: 'FieldValueNotSupported',
      message: `Unsupported value: "${validation}": supported values: "Ignore", "Strict", "Warn"`,
      field: 'fieldValidation',
    });
  const agent = String(headers['user-agent'] ?? '').split('/')[0] || 'unknown';
  return {
    manager: (query.get('fieldManager') || agent).slice(0, 128),
    dryRun: checkDryRun(query.getAll('dryRun'), kind),
    fieldValidation: validation,
    warnings,
    user,
  };
}

function checkDryRun(values: readonly string[], kind: string): boolean {
  if (values.length === 0) return false;
  if (values.every((value) => value === 'All')) return true;
  throw invalidOptions(kind, {
    reason: 'FieldValueNotSupported',
    message: `Unsupported value: []string{${values.map((value) => `"${value}"`).join(', ')}}: supported values: "All"`,
    field: 'dryRun',
  });
}
