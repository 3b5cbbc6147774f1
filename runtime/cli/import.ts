import { createArmClient } from '../azure/arm/client.ts';
import { createAzureContext } from '../azure/azure-context.ts';
import { azureCliAuthorizer } from '../azure/identity/authorizers/azure-cli.ts';
import { authorizerFromEnvironment } from '../azure/identity/credential-from-environment.ts';
import { stopSignal } from '../base/process/stop-signal.ts';
import { ArmReader } from '../import/arm-reader.ts';
import { importConfig } from '../import/config.ts';
import { importResources } from '../import/importer.ts';
import { onOneLine } from '../import/printable.ts';
import type { Program } from './program.ts';

/** `azimuth import`: writes manifests to standard output, and problems and a summary to standard error. */
export const importer: Program = async (argv) => {
  const config = importConfig(argv);
  if ('help' in config) {
    console.log(config.help);
    return 0;
  }
  const context = createAzureContext(process.env);
  const arm = createArmClient({ cloud: context.cloud, dispatcher: context.dispatcher });
  try {
    const authorizer =
      config.credential === 'azure-cli'
        ? azureCliAuthorizer()
        : authorizerFromEnvironment(process.env, context).authorizer;
    const reader = new ArmReader({ arm, authorizer, signal: stopSignal(), onWait: noteWait });
    const { text, count, problems } = await importResources(reader, config);
    const written = await print(text);
    for (const { id, message } of problems) console.error(onOneLine(`${id}: ${message}`));
    if (!written) {
      console.error('azimuth: standard output was closed before everything was written');
      return 1;
    }
    if (problems.length > 0 && config.credential === 'environment' && !hasCredential(process.env)) {
      console.error(
        'azimuth: no credential is set: sign in with `az login` and add --credential=azure-cli, or set AZURE_TENANT_ID, ' +
          'AZURE_CLIENT_ID and AZURE_CLIENT_SECRET; without them only the managed identity of a machine in Azure is left',
      );
    }
    const failed = problems.length === 0 ? '' : `, ${problems.length} not or not in full`;
    console.error(`azimuth: ${count} imported${failed}`);
    return problems.length === 0 ? 0 : 1;
  } finally {
    await context.close();
  }
};

/** Whether a variable chooses a credential; the default is the managed identity of the machine. */
function hasCredential(env: NodeJS.ProcessEnv): boolean {
  return ['AZURE_USE_MI', 'AZURE_CLIENT_ID'].some((name) => env[name]?.trim());
}

/** Shows progress to a user at a terminal. */
function noteWait(ms: number, error: Error): void {
  if (ms >= 5000) console.error(onOneLine(`azimuth: waiting ${Math.ceil(ms / 1000)} s: ${error.message}`));
}

/** Whether the reader accepted all of the text: a pager or `head` may end before. */
function print(text: string): Promise<boolean> {
  return new Promise((resolve) => {
    process.stdout.on('error', () => resolve(false));
    process.stdout.write(text, (error) => resolve(!error));
  });
}
