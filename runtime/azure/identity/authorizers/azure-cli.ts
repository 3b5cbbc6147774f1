import { execFile } from 'node:child_process';
import { AzimuthError, messageOf } from '../../../base/errors.ts';
import { onOneLine } from '../../../base/text/text.ts';
import type { Authorizer } from '../../types.ts';

/**
 * The account that `az login` made, for people at a terminal. The command line has a token cache of its own, so this is
 * for reading only: a program that writes asks Microsoft Entra ID itself.
 */
export function azureCliAuthorizer(command = 'az'): Authorizer {
  return {
    description: 'the Azure command line',
    getToken: ({ audience, tenantId, signal }) =>
      new Promise((resolve, reject) => {
        const tenant = tenantId === undefined ? [] : ['--tenant', tenantId];
        const argv = ['account', 'get-access-token', '--output', 'json', '--resource', audience, ...tenant];
        execFile(command, argv, { ...(signal && { signal }) }, (error, out, stderr) => {
          const { accessToken, expires_on: seconds, expiresOn } = error ? {} : answerOf(out);
          if (typeof accessToken === 'string') {
            // Older releases have the local time alone.
            const expires = typeof seconds === 'number' ? seconds * 1000 : Date.parse(String(expiresOn));
            resolve({ token: accessToken, expiresOn: Number.isNaN(expires) ? Date.now() : expires });
            return;
          }
          const reason = stderr.trim() || (error ? messageOf(error) : 'its answer has no token');
          reject(new AzimuthError('AZ_AUTH_FAILED', `${command} gave no token: ${onOneLine(reason)}`));
        });
      }),
  };
}

function answerOf(out: string): Record<string, unknown> {
  try {
    return JSON.parse(out) as Record<string, unknown>;
  } catch {
    return {};
  }
}
