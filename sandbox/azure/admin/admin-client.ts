import { AzimuthError } from '../../../runtime/base/errors.ts';
import type { EmbeddedAzure } from '../embedded-azure.ts';

/** The address and token of an admin endpoint. */
export type AdminAccess = Pick<EmbeddedAzure, 'adminToken'> & { readonly endpoints: { readonly admin: string } };

/**
 * One request to the admin endpoint of an embedded Azure, which may run in another process. The paths are those of
 * docs/reference/sandbox.md. Returns the body of the answer, undefined where it has none.
 *
 * @throws AzimuthError AZ_TERMINAL with the status and text of the answer
 */
export async function adminRequest<T>(
  { endpoints, adminToken }: AdminAccess,
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE',
  path: string,
  body?: object,
): Promise<T> {
  const answer = await fetch(`${endpoints.admin}${path}`, {
    method,
    headers: { authorization: `Bearer ${adminToken}` },
    ...(body && { body: JSON.stringify(body) }),
  });
  const text = await answer.text();
  if (!answer.ok) throw new AzimuthError('AZ_TERMINAL', `${method} ${path} of the sandbox: ${answer.status} ${text}`);
  return (text === '' ? undefined : JSON.parse(text)) as T;
}
