import { ArmReader } from '../../runtime/azure/arm/arm-reader.ts';
import { createArmClient } from '../../runtime/azure/arm/client.ts';
import { cloudFromEnvironment } from '../../runtime/azure/clouds.ts';
import { authorizerFromEnvironment } from '../../runtime/azure/identity/credential-from-environment.ts';
import { createImds } from '../../runtime/azure/identity/imds.ts';
import { createDispatcher } from '../../runtime/base/http/client.ts';
import type { EmbeddedAzure } from '../../sandbox/azure/embedded-azure.ts';

/** A reader of the embedded Azure, as its default app. */
export function readerOf(azure: EmbeddedAzure): ArmReader {
  const env = azure.env();
  const cloud = cloudFromEnvironment(env);
  const dispatcher = createDispatcher({ ca: azure.caPem, proxy: 'none' });
  const imds = createImds({ dispatcher, endpoint: azure.endpoints.imds });
  const { authorizer } = authorizerFromEnvironment(env, { cloud, dispatcher, imds });
  return new ArmReader({ arm: createArmClient({ cloud, dispatcher }), authorizer });
}
