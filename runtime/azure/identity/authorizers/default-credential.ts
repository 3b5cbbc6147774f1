import { AzimuthError, messageOf } from '../../../base/errors.ts';
import { onOneLine } from '../../../base/text/printable.ts';
import { authorityHosts } from '../../clouds.ts';
import type { Authorizer, CloudEnvironment } from '../../types.ts';

/** Characters of an error of the SDK, which lists each credential that it tried. */
const longestError = 2000;

/**
 * How people sign in elsewhere: the DefaultAzureCredential of `@azure/identity` (environment, workload and managed
 * identity, Visual Studio Code, az, PowerShell, azd). It caches tokens, so this is for commands that read; programs of
 * a cluster ask Microsoft Entra ID themselves. `load` imports the SDK, an optional peer of the package.
 *
 * @throws AzimuthError AZ_CONFIG_INVALID where the SDK is not installed
 */
export async function defaultAzureAuthorizer(
  { authorityHost }: CloudEnvironment,
  load: () => Promise<typeof import('@azure/identity')> = () => import('@azure/identity'),
): Promise<Authorizer> {
  const { DefaultAzureCredential } = await load().catch((cause) => {
    if ((cause as NodeJS.ErrnoException).code !== 'ERR_MODULE_NOT_FOUND') throw cause;
    throw new AzimuthError(
      'AZ_CONFIG_INVALID',
      'Expected the package @azure/identity, which signs in as az, azd, PowerShell, the environment or a managed identity ' +
        'do, but it is not installed: run `npm install @azure/identity`, or choose --credential=azure-cli or ' +
        '--credential=environment, which need no package',
      { cause },
    );
  });
  // Microsoft does not know the authority of a private cloud.
  const disableInstanceDiscovery = !authorityHosts.has(new URL(authorityHost).hostname);
  const credential = new DefaultAzureCredential({ authorityHost, disableInstanceDiscovery });
  return {
    description: 'DefaultAzureCredential of @azure/identity',
    async getToken({ audience, tenantId, claims, signal }) {
      try {
        const { token, expiresOnTimestamp } = await credential.getToken(`${audience}/.default`, {
          ...(tenantId !== undefined && { tenantId }),
          ...(claims !== undefined && { claims }),
          ...(signal && { abortSignal: signal }),
        });
        return { token, expiresOn: expiresOnTimestamp };
      } catch (cause) {
        signal?.throwIfAborted();
        const reason = onOneLine(messageOf(cause)).slice(0, longestError);
        const fix =
          'sign in with `az login`, `azd auth login` or Connect-AzAccount, or set the variables of a credential';
        throw new AzimuthError('AZ_AUTH_FAILED', `No credential of this computer signed in: ${fix}. ${reason}`, {
          cause,
        });
      }
    },
  };
}
