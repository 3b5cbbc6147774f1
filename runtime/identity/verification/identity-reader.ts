import { ArmError } from '../../azure/arm/errors.ts';
import { isGone } from '../../azure/arm/not-found.ts';
import { sameResourceId } from '../../azure/arm/resource-ids.ts';
import type { ArmClient, Authorizer } from '../../azure/types.ts';
import { AzimuthError } from '../../base/errors.ts';

/**
 * Version of Microsoft.ManagedIdentity; the oldest that is generally available, so that private clouds have it too.
 */
export const identityApiVersion = '2018-11-30';

/** Why the controller could not read the client id of an identity. */
export interface ReadProblem {
  readonly reason: 'ResourceNotFound' | 'IdentityNotVerified';
  readonly message: string;
  readonly retryAfterMs: number | undefined;
}

/** Reads the client id of a user-assigned identity from Azure, in lower case; the problem where that fails. The
 * request waits in the share of the namespace. */
export async function readClientId(
  { arm, authorizer }: { readonly arm: ArmClient; readonly authorizer: Authorizer },
  { id: resourceId, namespace: share }: { readonly id: string; readonly namespace: string },
  signal: AbortSignal,
): Promise<string | ReadProblem> {
  try {
    const { body } = await arm.send({
      method: 'GET',
      path: resourceId,
      apiVersion: identityApiVersion,
      authorizer,
      share,
      signal,
    });
    const { id, properties } = (body ?? {}) as { id?: unknown; properties?: { clientId?: unknown } };
    const clientId = properties?.clientId;
    if (typeof id !== 'string' || !sameResourceId(id, resourceId) || typeof clientId !== 'string' || clientId === '') {
      return problem(
        'IdentityNotVerified',
        "Azure's answer is not the identity of spec.resourceID; the controller will read it again",
      );
    }
    return clientId.toLowerCase();
  } catch (error) {
    signal.throwIfAborted();
    return problemOf(error);
  }
}

function problemOf(error: unknown): ReadProblem {
  // The text of an answer may name objects of other namespaces: report the code only.
  if (!(error instanceof ArmError)) {
    const code = error instanceof AzimuthError ? error.code : 'no answer';
    const retryAfterMs = error instanceof AzimuthError ? error.retryAfterMs : undefined;
    return problem('IdentityNotVerified', `the controller cannot read the identity from Azure (${code})`, retryAfterMs);
  }
  const { status, code, retryAfterMs } = error.info;
  if (isGone(error)) {
    const message = 'Azure has no identity with the id of spec.resourceID; create it, or correct spec.resourceID';
    return problem('ResourceNotFound', `${message} (${code})`, retryAfterMs);
  }
  const refused = 'Azure does not let the controller read the identity of spec.resourceID';
  const fix = 'grant the controller the role Managed Identity Operator on it';
  const message = status === 403 ? `${refused} (${code}); ${fix}` : `Azure refused the read of the identity (${code})`;
  return problem('IdentityNotVerified', message, retryAfterMs);
}

function problem(reason: ReadProblem['reason'], message: string, retryAfterMs?: number): ReadProblem {
  return { reason, message, retryAfterMs };
}
